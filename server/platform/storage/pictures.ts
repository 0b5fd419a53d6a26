import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { photoErrors } from '@keyturn/contract/shared/photo-texts.ts'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../database/open-database.ts'
import type { Upload } from '../http/request-body.ts'
import { createQueue, type QueueLimits } from '../workers/queue.ts'
import { startProcess } from '../workers/start-process.ts'
import { createThreadWorker, workerUrl } from '../workers/thread-worker.ts'
import type { DocumentStore } from './document-store.ts'
import type { ProcessedImage } from './image-processing.ts'
import { openStore } from './open-store.ts'
import { claimPicture, pinPicture } from './picture-repository.ts'
import type { PictureStore } from './picture-store.ts'
import { type MinimumRate, receiveUpload } from './receive-upload.ts'

/** A stored photo. `source` is the digest of the uploaded bytes, to recognize a repeated upload. */
export type StoredPhoto = Photo & { source: string; place?: string }

export type Pictures = {
  store: PictureStore
  /** Sealed agreements (`documents.ts`). */
  documents: DocumentStore
  /** Local folder for uploads in progress. */
  incoming: string
  /** Starts an upload; call `endUpload` at its end. Throws `TooManyRequests` beyond the limit. */
  startUpload(caller: string): UploadSlot
  draw(work: { sent: string; into: string }): Promise<ProcessedImage>
  close(): Promise<void>
}

/** `receiveUpload` writes the upload to a file and returns its digest. */
type UploadSlot = { receiveUpload: (upload: Upload, path: string) => Promise<string>; endUpload: () => void }

/**
 * Receives uploads and processes them in a child process (R-cars-24), so that a crash of the image
 * decoder affects nothing else.
 */
export function createPictures({ config, log, rate = defaultRate }: Options): Pictures {
  const maxBytes = Math.ceil(maxIncomingBytes / config.processes)
  const { store, documents, incoming, close } = openStore(config)
  mkdirSync(incoming, { recursive: true })
  removeLeftovers(incoming)
  const onFault = (fault: Error) => log.error({ err: fault }, 'photo processing failed')
  const worker = createThreadWorker<{ sent: string; into: string }, ProcessedImage>({
    name: 'Photos',
    script,
    start: startProcess,
    onFault,
  })
  const queue = createQueue({ name: 'Drawing a photo', worker, limits, onFault })
  const uploadsByCaller = new Map<string, number>()
  /** Uploads in progress, oldest first. */
  const activeUploads = new Set<ActiveUpload>()
  let incomingBytes = 0
  const release = (one: ActiveUpload) => {
    incomingBytes -= one.bytes
    one.bytes = 0
  }
  return {
    store,
    documents,
    incoming,
    startUpload: (caller) => {
      const own = uploadsByCaller.get(caller) ?? 0
      if (own >= maxPerCaller) throw apiErrors.TooManyRequests({ retryAfterSeconds: 2 })
      uploadsByCaller.set(caller, own + 1)
      const one: ActiveUpload = { bytes: 0, ending: new AbortController() }
      // Aborts the oldest upload, so that stalled uploads cannot block new ones.
      const countBytes = (count: number) => {
        one.bytes += count
        incomingBytes += count
        while (incomingBytes > maxBytes) {
          const oldest = [...activeUploads].find((other) => other !== one)
          if (!oldest) throw apiErrors.Unavailable({ retryAfterSeconds: 5 })
          activeUploads.delete(oldest)
          release(oldest)
          oldest.ending.abort(apiErrors.RequestTimeout())
        }
      }
      return {
        receiveUpload: (upload, path) => {
          activeUploads.add(one)
          const { signal } = one.ending
          return receiveUpload(upload, path, { rate, countBytes, signal }).finally(() =>
            activeUploads.delete(one),
          )
        },
        endUpload: () => {
          release(one)
          const left = (uploadsByCaller.get(caller) ?? 1) - 1
          if (left > 0) uploadsByCaller.set(caller, left)
          else uploadsByCaller.delete(caller)
        },
      }
    },
    draw: queue.ask,
    close: async () => {
      await queue.close()
      await close()
    },
  }
}

type ActiveUpload = { bytes: number; ending: AbortController }

type Options = {
  config: Pick<Config, 'dataDir' | 's3' | 'processes'>
  log: Logger
  rate?: MinimumRate
}

const script = workerUrl(import.meta.url, 'picture-worker')

/** Maximum uploads per caller, in progress and queued. A page sends three at a time. */
const maxPerCaller = 4
/**
 * Total on disk, over all processes of one start. Bytes count when they arrive, so a slow upload
 * does not block other uploads. Only complete uploads enter the queue.
 */
const maxIncomingBytes = 512 * 1024 * 1024
/** Much less than a phone with bad reception sends; 15 s without reception end the upload. */
const defaultRate: MinimumRate = { bytesPerSecond: 4_000, windowMs: 15_000 }

const limits: QueueLimits = {
  // One core processes images while another one serves requests.
  places: 1,
  maxWaiting: 32,
  maxWaitMs: 60_000,
  maxRunMs: 40_000,
}

/** Deletes files of crashed processes. Newer files may belong to a running process. */
function removeLeftovers(folder: string): void {
  const before = Date.now() - 3_600_000
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < before) rmSync(path, { recursive: true, force: true })
  }
}

type StoreUploadOptions<T> = {
  caller: string
  upload: Upload
  /** Returns the earlier result for this digest; throws if there is no space for another. */
  findEarlier: (source: string) => Promise<T | null>
  /** Stores a reference to the picture in this transaction. */
  addReference: (tx: Db, photo: StoredPhoto) => Promise<T>
}

/**
 * Receives, processes and stores an upload, then calls `addReference` to reference it. Nothing is
 * stored if any step fails.
 */
export async function storeUpload<T>(
  { db, pictures, log }: Pick<Deps, 'db' | 'pictures' | 'log'>,
  { caller, upload, findEarlier, addReference }: StoreUploadOptions<T>,
): Promise<T> {
  const entered = pictures.startUpload(caller)
  let folder: string | null = null
  try {
    folder = await mkdtemp(join(pictures.incoming, 'one-'))
    const [sent, into] = [join(folder, 'sent'), join(folder, 'drawn')]
    const source = await entered.receiveUpload(upload, sent)
    const known = await findEarlier(source)
    if (known) return known
    await mkdir(into)
    const drawn = await pictures.draw({ sent, into })
    if ('fault' in drawn) throw photoErrors[drawn.fault]()
    await claimPicture(db, { id: drawn.id, width: drawn.width, forMs: claimMs })
    await pictures.store.put(drawn.id, into)
    return await transaction(db, async (tx) => {
      const kept = await addReference(tx, { ...drawn, caption: '', source })
      // An identical picture was deleted concurrently, with its files. A retry stores it again.
      if ((await pinPicture(tx, { id: drawn.id })).length === 0) throw apiErrors.Unavailable()
      return kept
    })
  } catch (error) {
    if (error instanceof ApiError || !isStorageError(error)) throw error
    log.error({ err: error }, 'a photo could not be stored')
    throw apiErrors.Unavailable()
  } finally {
    entered.endUpload()
    if (folder) await rm(folder, { recursive: true, force: true })
  }
}

/** Storing takes seconds. A hanging object store times out earlier than this. */
const claimMs = 15 * 60_000

/** Errors of the disk or the object store. Database errors are handled elsewhere. */
const isStorageError = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || '$metadata' in error || '$fault' in error)
