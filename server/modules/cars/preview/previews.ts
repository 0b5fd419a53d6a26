import { hash } from 'node:crypto'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { readDerived, readPhoto, storeDerived } from '../../../platform/storage/derived-files.ts'
import { type Limits, openQueue } from '../../../platform/workers/queue.ts'
import { openThread, type ThreadOptions, workerUrl } from '../../../platform/workers/thread.ts'
import { type Card, photoWidth, type ToDraw } from './preview-card.ts'

export type Previews = {
  /** Draws a card once and caches it. Throws `Unavailable` on a timeout. */
  read(card: Card, caller: string): Promise<Uint8Array>
  close(): Promise<void>
}

type Options = Pick<ThreadOptions, 'onFault'> & { deps: Pick<Deps, 'db' | 'pictures'>; most?: number }

/** About 20 kB each. */
const mostKept = 500

/** Increase it when the drawing changes, so that cached pictures are not reused. */
const drawing = 2

/**
 * The cache key, also in the URL: chats cache pictures for days, so a new price or photo needs a
 * new URL.
 */
export const keyOf = (card: Card): string =>
  hash('sha256', JSON.stringify([drawing, card]), 'hex').slice(0, keyLength)

const keyLength = 24

/**
 * Draws link previews in a separate thread, because 100 ms would block the event loop. A thread is
 * safe enough: photos were re-encoded by the upload process. A preview with a photo is stored
 * beside the photo; a drawn card is cached in memory, at most `most` of them.
 */
export function openPreviews({ deps, onFault, most = mostKept }: Options): Previews {
  const worker = openThread<ToDraw, Uint8Array>({ name: 'Preview', script, onFault })
  const queue = openQueue({ name: 'Drawing a preview', worker, limits, onFault })
  /** Finished and pending pictures, the oldest first. */
  const made = new Map<string, Promise<Uint8Array>>()

  function read(card: Card, caller: string): Promise<Uint8Array> {
    const key = keyOf(card)
    const known = made.get(key)
    if (known) return known
    const { photo } = card
    const making = photo ? readOverPhoto(card, photo, caller) : queue.ask({ card, photo: null }, caller)
    made.set(key, making)
    const [oldest = key] = made.keys()
    if (made.size > most) made.delete(oldest)
    const forget = () => made.delete(key)
    making.then(() => photo && forget(), forget)
    return making
  }

  async function readOverPhoto(card: Card, photo: CardPhoto, caller: string): Promise<Uint8Array> {
    const key = keyOf(card)
    const kept = await readDerived(deps, photo, 'preview').catch(() => null)
    if (kept?.toString('latin1', 0, keyLength) === key) return kept.subarray(keyLength)
    const bytes = await queue.ask({ card, photo: await bytesOf(photo) }, caller)
    await storeDerived(deps, photo, 'preview', Buffer.concat([Buffer.from(key), bytes])).catch(onFault)
    return bytes
  }

  async function bytesOf(photo: CardPhoto): Promise<Uint8Array> {
    const bytes = await readPhoto(deps, photo, photoWidth(photo)).catch((fault: Error) => {
      onFault(fault)
      return null
    })
    // The photo was deleted after the list was read; the next page has another URL.
    if (!bytes) throw apiErrors.Unavailable()
    return bytes
  }

  return { read, close: queue.close }
}

type CardPhoto = NonNullable<Card['photo']>

const limits: Limits = {
  places: 1,
  maxWaiting: 20,
  // A crawler that requests many links has one address for all of them.
  maxPerCaller: 10,
  // About as long as chats wait for a picture.
  maxWaitMs: 10_000,
  maxRunMs: 10_000,
}

const script = workerUrl(import.meta.url, 'preview-worker')
