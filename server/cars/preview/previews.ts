import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Limits, openQueue } from '../../workers/queue.ts'
import { openThread, type ThreadOptions, workerBeside } from '../../workers/thread.ts'
import type { Card } from './preview-card.ts'

export type Previews = {
  /** Made once and kept by what it shows. Refuses `Unavailable` when it cannot be made in time. */
  read(card: Card, asker: string): Promise<Uint8Array>
  close(): Promise<void>
}

type Options = Pick<ThreadOptions, 'onFault'> & { folder: string; most?: number }

/** Nothing but the car's name, price and body is in one, so what is kept of a listing that is gone tells of nobody. */
const mostKept = 500

/** Changes when the drawing does, so that pictures of an earlier one are not taken for it. */
const drawing = 1

/** By this name a picture is kept, and in its address: chats keep one for days, and a new price has another address. */
export const keyOf = (card: Card): string =>
  createHash('sha256')
    .update(JSON.stringify([drawing, card]))
    .digest('hex')
    .slice(0, 24)

/** The pictures that chats show of a link, drawn in a thread of its own: a tenth of a second would hold up everyone. */
export function openPreviews({ folder, onFault, most = mostKept }: Options): Previews {
  const doer = openThread<Card, Uint8Array>({ name: 'Preview', script, onFault })
  const queue = openQueue({ name: 'Drawing a preview', doer, limits, onFault })
  const underWay = new Map<string, Promise<Uint8Array>>()

  async function read(card: Card, asker: string): Promise<Uint8Array> {
    const key = keyOf(card)
    const known = underWay.get(key)
    if (known) return known
    const making = readFile(join(folder, `${key}.png`)).catch(() => make(key, card, asker))
    underWay.set(key, making)
    try {
      return await making
    } finally {
      underWay.delete(key)
    }
  }

  async function make(key: string, card: Card, asker: string): Promise<Uint8Array> {
    const bytes = await queue.ask(card, asker)
    await keep(folder, `${key}.png`, bytes, most).catch(onFault)
    return bytes
  }

  return { read, close: queue.close }
}

/** Whole or not at all: several processes may share the folder. */
async function keep(folder: string, name: string, bytes: Uint8Array, most: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `${name}.${process.pid}`)
  await writeFile(draft, bytes)
  await rename(draft, join(folder, name))
  const names = await readdir(folder)
  if (names.length > most) await dropOldest(folder, names, most)
}

async function dropOldest(folder: string, names: readonly string[], most: number): Promise<void> {
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  )
  aged.sort((a, b) => a.at - b.at)
  for (const { name } of aged.slice(0, aged.length - most)) await rm(join(folder, name), { force: true })
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
