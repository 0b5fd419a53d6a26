import { hash } from 'node:crypto'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { readDerivedFile, readPhotoFile, storeDerivedFile } from '../../../platform/storage/derived-files.ts'
import { createQueue, type QueueLimits } from '../../../platform/workers/queue.ts'
import { createThreadWorker, type ThreadOptions, workerUrl } from '../../../platform/workers/thread-worker.ts'
import { type PreviewCard, type PreviewJob, previewPhotoWidth } from './preview-card.ts'

export type Previews = {
  /** Draws a card once and caches it. Throws `Unavailable` on a timeout. */
  read(card: PreviewCard, caller: string): Promise<Uint8Array>
  close(): Promise<void>
}

type Options = Pick<ThreadOptions, 'onFault'> & { deps: Pick<Deps, 'db' | 'pictures'>; maxCached?: number }

/** About 20 kB each. */
const maxCachedCards = 500

/** Part of the cache key. Increment it when the drawing changes. */
const drawingVersion = 2

/** The cache key, also in the URL, because chats cache a picture by its URL for days. */
export const previewKey = (card: PreviewCard): string =>
  hash('sha256', JSON.stringify([drawingVersion, card]), 'hex').slice(0, keyLength)

const keyLength = 24

/**
 * Draws link previews in a separate thread, because 100 ms would block the event loop. A thread is
 * safe enough: photos were re-encoded by the upload process. A preview with a photo is stored
 * beside the photo; a drawn card is cached in memory, at most `maxCached` of them.
 */
export function createPreviews({ deps, onFault, maxCached = maxCachedCards }: Options): Previews {
  const worker = createThreadWorker<PreviewJob, Uint8Array>({ name: 'Preview', script, onFault })
  const queue = createQueue({ name: 'Drawing a preview', worker, limits, onFault })
  /** Finished and pending pictures, the oldest first. */
  const cache = new Map<string, Promise<Uint8Array>>()

  function read(card: PreviewCard, caller: string): Promise<Uint8Array> {
    const key = previewKey(card)
    const known = cache.get(key)
    if (known) return known
    const { photo } = card
    const pending = photo ? readOverPhoto(card, photo, caller) : queue.ask({ card, photo: null }, caller)
    cache.set(key, pending)
    const [oldest = key] = cache.keys()
    if (cache.size > maxCached) cache.delete(oldest)
    const evict = () => cache.delete(key)
    pending.then(() => photo && evict(), evict)
    return pending
  }

  async function readOverPhoto(card: PreviewCard, photo: CardPhoto, caller: string): Promise<Uint8Array> {
    const key = previewKey(card)
    const stored = await readDerivedFile(deps, photo, 'preview').catch(() => null)
    if (stored?.toString('latin1', 0, keyLength) === key) return stored.subarray(keyLength)
    const bytes = await queue.ask({ card, photo: await readPhotoBytes(photo) }, caller)
    await storeDerivedFile(deps, photo, 'preview', Buffer.concat([Buffer.from(key), bytes])).catch(onFault)
    return bytes
  }

  async function readPhotoBytes(photo: CardPhoto): Promise<Uint8Array> {
    const bytes = await readPhotoFile(deps, photo, previewPhotoWidth(photo)).catch((fault: Error) => {
      onFault(fault)
      return null
    })
    // The photo was deleted after the page was rendered, or could not be read. If it was deleted, a
    // newly rendered page links to another preview.
    if (!bytes) throw apiErrors.Unavailable()
    return bytes
  }

  return { read, close: queue.close }
}

type CardPhoto = NonNullable<PreviewCard['photo']>

const limits: QueueLimits = {
  places: 1,
  maxWaiting: 20,
  // A crawler that requests many links has one address for all of them.
  maxPerCaller: 10,
  // About as long as chats wait for a picture.
  maxWaitMs: 10_000,
  maxRunMs: 10_000,
}

const script = workerUrl(import.meta.url, 'preview-worker')
