import { hash } from 'node:crypto'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { readDerived, readPhoto, storeDerived } from '../../../platform/storage/derived-files.ts'
import { type Limits, openQueue } from '../../../platform/workers/queue.ts'
import { openThread, type ThreadOptions, workerBeside } from '../../../platform/workers/thread.ts'
import { type Card, photoWidth, type ToDraw } from './preview-card.ts'

export type Previews = {
  /** Made once and kept by what it shows. Refuses `Unavailable` when it cannot be made in time. */
  read(card: Card, caller: string): Promise<Uint8Array>
  close(): Promise<void>
}

type Options = Pick<ThreadOptions, 'onFault'> & { deps: Pick<Deps, 'db' | 'pictures'>; most?: number }

/** Some 20 kB each. */
const mostKept = 500

/** Changes when the drawing does, so that pictures of an earlier one are not taken for it. */
const drawing = 2

/** By this name a picture is known, and in its address: chats keep one for days, and a new price or photo has another address. */
export const keyOf = (card: Card): string =>
  hash('sha256', JSON.stringify([drawing, card]), 'hex').slice(0, keyLength)

const keyLength = 24

/**
 * The pictures that chats show of a link, drawn in a thread of its own: a tenth of a second would hold up everyone. A photo
 * that is drawn is one of ours, drawn anew before by the process that takes them in, so a thread is enough here. What is
 * made of a photo is kept beside it; a drawn card in memory, where no more are kept than `most`.
 */
export function openPreviews({ deps, onFault, most = mostKept }: Options): Previews {
  const doer = openThread<ToDraw, Uint8Array>({ name: 'Preview', script, onFault })
  const queue = openQueue({ name: 'Drawing a preview', doer, limits, onFault })
  /** What is kept or under way, the oldest first. */
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
    // The list of photos was read a moment ago: one that is gone by now is another address in the next page.
    if (!bytes) throw apiErrors.Unavailable()
    return bytes
  }

  return { read, close: queue.close }
}

type CardPhoto = NonNullable<Card['photo']>

const limits: Limits = {
  places: 1,
  waitingAtMost: 20,
  // A crawler that asks for many links at once has one address for all of them.
  ofOneAsker: 10,
  // About as long as chats wait for a picture.
  waitAtMostMs: 10_000,
  answerWithinMs: 10_000,
}

const script = workerBeside(import.meta.url, 'preview-worker')
