import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import type { Deps } from '../../deps.ts'
import { keepBeside, readBeside, readPhoto } from '../../media/beside.ts'
import { type Limits, openQueue } from '../../workers/queue.ts'
import { openThread, type ThreadOptions, workerBeside } from '../../workers/thread.ts'
import { findLiveAmong } from '../store.ts'
import { type Card, type Listed, photoWidth, type ToDraw } from './preview-card.ts'

export type Previews = {
  /** Made once and kept by what it shows. Refuses `Unavailable` when it cannot be made in time. */
  read(listed: Listed, asker: string): Promise<Uint8Array>
  /** Takes away what is kept of listings that are gone. */
  sweep(): Promise<void>
  close(): Promise<void>
}

type Options = Pick<ThreadOptions, 'onFault'> & {
  deps: Pick<Deps, 'db' | 'pictures'>
  folder: string
  most?: number
  everyMs?: number
}

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
 * made of a photo is kept beside it; a drawn card in `folder`, one of each listing.
 */
export function openPreviews({
  deps,
  folder,
  onFault,
  most = mostKept,
  everyMs = 10 * 60_000,
}: Options): Previews {
  const doer = openThread<ToDraw, Uint8Array>({ name: 'Preview', script, onFault })
  const queue = openQueue({ name: 'Drawing a preview', doer, limits, onFault })
  const underWay = new Map<string, Promise<Uint8Array>>()

  async function read(listed: Listed, asker: string): Promise<Uint8Array> {
    const name = `${listed.carId}-${keyOf(listed.card)}`
    const known = underWay.get(name)
    if (known) return known
    const making = readKept(listed).then((kept) => kept ?? make(listed, asker))
    underWay.set(name, making)
    try {
      return await making
    } finally {
      underWay.delete(name)
    }
  }

  async function make({ carId, card }: Listed, asker: string): Promise<Uint8Array> {
    const photo = card.photo && (await photoFor(card.photo))
    const bytes = await queue.ask({ card, photo }, asker)
    const keeping = card.photo
      ? keepBeside(deps, card.photo, 'preview', Buffer.concat([Buffer.from(keyOf(card)), bytes]))
      : keep(folder, { carId, key: keyOf(card) }, bytes, most)
    await keeping.catch(onFault)
    return bytes
  }

  async function photoFor(photo: NonNullable<Card['photo']>): Promise<Uint8Array> {
    const bytes = await readPhoto(deps, photo, photoWidth(photo)).catch((fault: Error) => {
      onFault(fault)
      return null
    })
    // The list of photos was read a moment ago: one that is gone by now is another address in the next page.
    if (!bytes) throw refuse.Unavailable()
    return bytes
  }

  async function readKept({ carId, card }: Listed): Promise<Uint8Array | null> {
    const key = keyOf(card)
    if (!card.photo) return readFile(join(folder, fileOf(carId, key))).catch(() => null)
    const kept = await readBeside(deps, card.photo, 'preview').catch(() => null)
    return kept?.toString('latin1', 0, keyLength) === key ? kept.subarray(keyLength) : null
  }

  async function sweep(): Promise<void> {
    const names = await namesIn(folder)
    if (names.length === 0) return
    const live = new Set(
      (await findLiveAmong(deps.db, { ids: [...new Set(names.map(carOf))] })).map(({ id }) => id),
    )
    await drop(
      folder,
      names.filter((name) => !live.has(carOf(name))),
    )
  }

  const sweeping = setInterval(() => void sweep().catch(onFault), everyMs).unref()
  return {
    read,
    sweep,
    close: () => {
      clearInterval(sweeping)
      return queue.close()
    },
  }
}

const fileOf = (carId: string, key: string) => `${carId}-${key}.png`
const carOf = (name: string) => name.slice(0, name.indexOf('-'))

/** Whole or not at all: several processes may share the folder. In place of what the listing looked like before. */
async function keep(
  folder: string,
  { carId, key }: { carId: string; key: string },
  bytes: Uint8Array,
  most: number,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const name = fileOf(carId, key)
  const draft = join(folder, `${name}.${process.pid}`)
  await writeFile(draft, bytes)
  await rename(draft, join(folder, name))
  const names = await namesIn(folder)
  await drop(
    folder,
    names.filter((other) => carOf(other) === carId && other !== name && other.endsWith('.png')),
  )
  if (names.length > most) await dropOldest(folder, await namesIn(folder), most)
}

async function dropOldest(folder: string, names: readonly string[], most: number): Promise<void> {
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      at: await stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  )
  aged.sort((a, b) => a.at - b.at)
  await drop(
    folder,
    aged.slice(0, Math.max(0, aged.length - most)).map(({ name }) => name),
  )
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

async function drop(folder: string, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })))
}

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
