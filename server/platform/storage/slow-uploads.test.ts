// @module-tag full

import { existsSync, readdirSync, statSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Browser } from '../../../tests/support/browser.ts'
import { aPicture } from '../../../tests/support/pictures.ts'
import { aListing } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { beginUpload } from '../../../tests/support/uploads.ts'
import { buildApp } from '../../app.ts'
import { createPictures } from './pictures.ts'

// Uses real HTTP: a slow upload holds a connection, but no slot that other uploads wait for.

const server = await startTestServer()
const usual = { bytesPerSecond: 1000, windowMs: 3000 }

async function listen(config = server.deps.config, rate = usual) {
  const pictures = createPictures({ config, log: server.deps.log, rate })
  const app = await buildApp({ ...server.deps, pictures }, new URL('file:///nowhere/'))
  onTestFinished(async () => {
    await app.close()
    await pictures.close()
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const received = () =>
    readdirSync(pictures.incoming)
      .map((name) => join(pictures.incoming, name, 'sent'))
      .map((path) => (existsSync(path) ? statSync(path).size : 0))
  return { origin, received }
}

type Sale = { seller: Browser; car: { _id: string } }

const begin = (origin: string, { seller, car }: Sale) => beginUpload(origin, seller, car._id)
const refusedWith = (status: number, code: string) => expect.objectContaining({ status, code })

const upload = (origin: string, sale: Sale, bytes: Buffer) => {
  const { sending, answer } = begin(origin, sale)
  sending.end(bytes)
  return answer
}

/** Sends an image signature, then a tenth of the minimum rate. */
function trickle(origin: string, sale: Sale, head: Buffer) {
  const begun = begin(origin, sale)
  begun.sending.write(head)
  const timer = setInterval(() => sendOn(begun.sending), 100)
  onTestFinished(() => clearInterval(timer))
  return begun.answer.finally(() => clearInterval(timer))
}
const sendOn = (sending: ClientRequest) => void (sending.destroyed || sending.write(Buffer.alloc(10)))

const aSale = () => aListing(server)
const sales = (count: number) => Promise.all(Array.from({ length: count }, aSale))

// R-everywhere-11
test('serves nine users while eight hold slow uploads, and ends those with 408', async () => {
  const { origin, received } = await listen(server.deps.config, { ...usual, windowMs: 8_000 })
  const [eight, nine] = [await sales(8), await sales(9)]
  const picture = await aPicture()
  const slow = eight.flatMap((sale) =>
    [1, 2, 3, 4].map(() => trickle(origin, sale, picture.subarray(0, 100))),
  )
  await vi.waitFor(() => expect(received()).toHaveLength(32), { timeout: 20_000 })
  const quick = await Promise.all(nine.map(async (sale) => upload(origin, sale, await aPicture())))
  expect(quick.map(({ status }) => status)).toEqual(nine.map(() => 201))
  for (const answer of slow) expect(await answer).toEqual(refusedWith(408, 'RequestTimeout'))
  const again = await Promise.all(eight.map((sale) => upload(origin, sale, picture)))
  expect(again.map(({ status }) => status)).toEqual(eight.map(() => 201))
  expect(received()).toEqual([])
})

test('accepts a steady upload above the minimum rate, even if it takes long', async () => {
  const { origin } = await listen()
  const sale = await aSale()
  const picture = Buffer.concat([await aPicture(), Buffer.alloc(40_000)])
  const { sending, answer } = begin(origin, sale)
  // Ten times the minimum for more than one window, because a busy machine may send late.
  for (let at = 0; at < picture.length; at += 1000) {
    sending.write(picture.subarray(at, at + 1000))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  sending.end()
  expect((await answer).status).toBe(201)
})

// R-everywhere-11
test('ends the oldest unfinished upload with 408 when the disk holds too many bytes, and accepts the newer one', async () => {
  // With this many processes, each may use 100 kB of the 512 MB.
  const config = { ...server.deps.config, processes: 5243 }
  const { origin, received } = await listen(config, { ...usual, windowMs: 60_000 })
  const [sale, other] = [await aSale(), await aSale()]
  const picture = await aPicture()
  const held = begin(origin, sale)
  held.sending.write(Buffer.concat([picture, Buffer.alloc(60_000)]))
  await vi.waitFor(() => expect(received()[0]).toBeGreaterThan(60_000))
  const large = Buffer.concat([await aPicture(), Buffer.alloc(60_000)])
  expect((await upload(origin, other, large)).status).toBe(201)
  expect(await held.answer).toEqual(refusedWith(408, 'RequestTimeout'))
  await vi.waitFor(() => expect(received()).toEqual([]))
  // A single upload above the limit has no older one to replace.
  const alone = await upload(origin, other, Buffer.concat([await aPicture(), Buffer.alloc(150_000)]))
  expect(alone).toEqual(refusedWith(503, 'Unavailable'))
})
