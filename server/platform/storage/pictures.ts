import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { photoErrors } from '@keyturn/contract/shared/photo-texts.ts'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../database/open.ts'
import type { Upload } from '../http/body.ts'
import { startProcess } from '../workers/process.ts'
import { type Limits, openQueue } from '../workers/queue.ts'
import { openThread, workerBeside } from '../workers/thread.ts'
import type { Drawn } from './image-processing.ts'
import { openStore } from './open-store.ts'
import { claimPicture, pinPicture } from './picture-rows.ts'
import type { PictureStore } from './picture-store.ts'
import { type MinimumRate, receive } from './receive-upload.ts'

/** A photo as its car keeps it. `source`: the digest of what was sent, so that the same is known when it comes again. */
export type KeptPhoto = Photo & { source: string }

export type Pictures = {
  store: PictureStore
  /** Where pictures lie while they come in: on the disk of this process. */
  incoming: string
  /** Counts one picture of this person; call `leave` at its end. Refuses a person who has too many on their way. */
  enter(caller: string): Entered
  draw(work: { sent: string; into: string }): Promise<Drawn>
  close(): Promise<void>
}

/** `receive` writes the picture to a file and answers its digest. */
type Entered = { receive: (upload: Upload, path: string) => Promise<string>; leave: () => void }

/**
 * Takes pictures in, and has them drawn in a process of its own (R-cars-24): code that decodes what strangers send may
 * crash, and is to take nothing with it.
 */
export function openPictures({ config, log, rate = usualRate }: Options): Pictures {
  const maxBytes = Math.ceil(mostBytesOnTheirWay / config.processes)
  const { store, incoming, close } = openStore(config)
  mkdirSync(incoming, { recursive: true })
  removeLeftovers(incoming)
  const onFault = (fault: Error) => log.error({ err: fault }, 'photos')
  const doer = openThread<{ sent: string; into: string }, Drawn>({
    name: 'Photos',
    script,
    start: startProcess,
    onFault,
  })
  const queue = openQueue({ name: 'Drawing a photo', doer, limits, onFault })
  const onTheirWay = new Map<string, number>()
  /** Those that still come in, the oldest first. */
  const arriving = new Set<Arriving>()
  let bytesOnTheirWay = 0
  const release = (one: Arriving) => {
    bytesOnTheirWay -= one.bytes
    one.bytes = 0
  }
  return {
    store,
    incoming,
    enter: (caller) => {
      const own = onTheirWay.get(caller) ?? 0
      if (own >= mostOfOne) throw apiErrors.TooManyRequests({ retryAfterSeconds: 2 })
      onTheirWay.set(caller, own + 1)
      const one: Arriving = { bytes: 0, ending: new AbortController() }
      // The oldest gives way: one that was sent fast and then held open keeps nobody else out.
      const takeBytes = (count: number) => {
        one.bytes += count
        bytesOnTheirWay += count
        while (bytesOnTheirWay > maxBytes) {
          const oldest = [...arriving].find((other) => other !== one)
          if (!oldest) throw apiErrors.Unavailable({ retryAfterSeconds: 5 })
          arriving.delete(oldest)
          release(oldest)
          oldest.ending.abort(apiErrors.RequestTimeout())
        }
      }
      return {
        receive: (upload, path) => {
          arriving.add(one)
          const { signal } = one.ending
          return receive(upload, path, { rate, takeBytes, signal }).finally(() => arriving.delete(one))
        },
        leave: () => {
          release(one)
          const left = (onTheirWay.get(caller) ?? 1) - 1
          if (left > 0) onTheirWay.set(caller, left)
          else onTheirWay.delete(caller)
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

type Arriving = { bytes: number; ending: AbortController }

type Options = {
  config: Pick<Config, 'dataDir' | 's3' | 'processes'>
  log: Logger
  rate?: MinimumRate
}

const script = workerBeside(import.meta.url, 'picture-worker')

/** Those that come in and those that wait: a page sends three at a time. */
const mostOfOne = 4
/**
 * On the disk, of all processes of a start together. Counted as they arrive: a slow sender has few of them, and holds nobody
 * else up. Places for drawing are taken by pictures that have arrived.
 */
const mostBytesOnTheirWay = 512 * 1024 * 1024
/** A phone on a bad line sends several times as much; one that was without a line for a quarter of a minute sends again. */
const usualRate: MinimumRate = { bytesPerSecond: 4_000, windowMs: 15_000 }

const limits: Limits = {
  // One core draws while the other answers.
  places: 1,
  waitingAtMost: 32,
  waitAtMostMs: 60_000,
  answerWithinMs: 40_000,
}

/** What a process that ended in the middle has left; whatever is newer may be another's. */
function removeLeftovers(folder: string): void {
  const before = Date.now() - 3_600_000
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < before) rmSync(path, { recursive: true, force: true })
  }
}

type Taking<T> = {
  caller: string
  upload: Upload
  /** What there is already of exactly this picture, sent before; refuses where there is no room for another. */
  find: (source: string) => Promise<T | null>
  /** Refers to the picture from now on, in this transaction. */
  keep: (tx: Db, photo: KeptPhoto) => Promise<T>
}

/** Receives a picture, has it drawn, stores the files, and then lets `keep` refer to them: nothing is kept of one that ends before. */
export async function takePicture<T>(
  { db, pictures, log }: Pick<Deps, 'db' | 'pictures' | 'log'>,
  { caller, upload, find, keep }: Taking<T>,
): Promise<T> {
  const entered = pictures.enter(caller)
  let folder: string | null = null
  try {
    folder = await mkdtemp(join(pictures.incoming, 'one-'))
    const [sent, into] = [join(folder, 'sent'), join(folder, 'drawn')]
    const source = await entered.receive(upload, sent)
    const known = await find(source)
    if (known) return known
    await mkdir(into)
    const drawn = await pictures.draw({ sent, into })
    if ('fault' in drawn) throw photoErrors[drawn.fault]()
    await claimPicture(db, { id: drawn.id, width: drawn.width, forMs: claimMs })
    await pictures.store.put(drawn.id, into)
    return await transaction(db, async (tx) => {
      const kept = await keep(tx, { ...drawn, caption: '', source })
      // Somebody else's same picture went away with its files in this moment: sent again, it is drawn again.
      if ((await pinPicture(tx, { id: drawn.id })).length === 0) throw apiErrors.Unavailable()
      return kept
    })
  } catch (error) {
    if (error instanceof ApiError || !isOfStore(error)) throw error
    log.error({ err: error }, 'a photo could not be stored')
    throw apiErrors.Unavailable()
  } finally {
    entered.leave()
    if (folder) await rm(folder, { recursive: true, force: true })
  }
}

/** Storing takes seconds; an object store that hangs is given up after some more. */
const claimMs = 15 * 60_000

/** The disk is full or gone, or the object store does not answer; what the database says is told as ever. */
const isOfStore = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || '$metadata' in error || '$fault' in error)
