import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { type Photo, photoBounds } from '@keyturn/contract/shared/photo.ts'
import { photoAddress } from '@keyturn/contract/shared/photo-files.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { aNoisyPicture, aPng, aPolyglot, svg } from '../../../tests/support/malformed-pictures.ts'
import { addPhoto, aPicture } from '../../../tests/support/pictures.ts'
import { aListing } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { beginUpload } from '../../../tests/support/uploads.ts'
import { createPictures } from './pictures.ts'

// Uses real HTTP, because unread, aborted and endless bodies depend on the connection.

const server = await startTestServer()
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
const { seller, car, at } = await aListing(server)
const photoFolder = join(server.deps.config.dataDir, 'photos')
const megabyte = 1024 * 1024

/** `feed` writes the body, or leaves it unfinished. */
function upload(
  feed: Buffer | ((sending: ClientRequest) => unknown),
  headers: Record<string, string | number> = {},
  carId = car._id,
) {
  const { sending, answer } = beginUpload(origin, seller, carId, headers)
  if (Buffer.isBuffer(feed)) sending.end(feed)
  else feed(sending)
  return answer
}

const shown = async (): Promise<Photo[]> =>
  (await server.browser().ask(readPublicCar, { params: at })).car.photos

beforeEach(async () => {
  await server.query(`update cars set photos = '[]'`)
})

/** Counts everything that is stored about pictures. */
const kept = async () => ({
  shown: (await shown()).length,
  uploadsByCaller: readdirSync(join(photoFolder, 'incoming')),
  folders: readdirSync(photoFolder).filter((name) => name !== 'incoming'),
  rows: await server.query('select id from pictures'),
})
const nothing = { shown: 0, uploadsByCaller: [], folders: [], rows: [] }

const [jpeg, png] = [await aNoisyPicture('jpeg'), await aNoisyPicture('png')]
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)

// R-safe-20
test.each<[what: string, bytes: Buffer, status: number, code: string]>([
  ['an SVG with a script, sent as JPEG', svg, 415, 'NotAPhoto'],
  ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;'), 415, 'NotAPhoto'],
  ['a HEIC', Buffer.from('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00'), 415, 'NotAPhoto'],
  ['nothing at all', Buffer.alloc(0), 415, 'NotAPhoto'],
  ['the beginning of a JPEG and nothing behind it', jpeg.subarray(0, 20), 422, 'PhotoUnreadable'],
  ['half a JPEG', half(jpeg), 422, 'PhotoUnreadable'],
  ['half a PNG', half(png), 422, 'PhotoUnreadable'],
  ['a JPEG of zeros', Buffer.concat([jpeg.subarray(0, 600), Buffer.alloc(5000)]), 422, 'PhotoUnreadable'],
  [
    'a container of another kind',
    Buffer.from(`RIFF\x00\x00\x00\x00WEBP${'x'.repeat(200)}`, 'latin1'),
    422,
    'PhotoUnreadable',
  ],
  ['51 megapixels in 26 kB', aPng(10_000, 5_100), 422, 'TooManyPixels'],
  ['a header that claims 3,600 megapixels', aPng(60_000, 60_000, Buffer.alloc(9)), 422, 'TooManyPixels'],
])('rejects %s by name and stores nothing of it', async (_, bytes, status, code) => {
  const answer = await upload(bytes)
  expect([answer.status, answer.code]).toEqual([status, code])
  expect(answer.body).not.toMatch(/vips|sharp|node_modules/i)
  expect(await kept()).toEqual(nothing)
})

test('rejects another content type before reading the body', async () => {
  for (const [type, code] of [
    ['text/html', 'UnsupportedMediaType'],
    ['image/svg+xml', 'UnsupportedMediaType'],
    ['application/json', 'BadRequest'],
  ]) {
    const { status, code: told } = await upload(svg, { 'content-type': type ?? '' })
    expect([status, told]).toEqual([code === 'BadRequest' ? 400 : 415, code])
  }
})

test('rejects 200 MB at the size limit, with or without Content-Length', async () => {
  const piece = Buffer.concat([jpeg.subarray(0, 12), Buffer.alloc(megabyte - 12)])
  let sent = 0
  const flood = (sending: ClientRequest) => {
    const more = () => {
      while (sent < 200 * megabyte && !sending.destroyed) {
        sent += piece.length
        if (!sending.write(piece)) return void sending.once('drain', more)
      }
      sending.end()
    }
    more()
  }
  const before = process.memoryUsage.rss()
  const said = await upload(flood, { 'content-length': 200 * megabyte })
  expect([said.status, said.code]).toEqual([413, 'PhotoTooLarge'])
  sent = 0
  const unsaid = await upload(flood)
  expect([unsaid.status, unsaid.code]).toEqual([413, 'PhotoTooLarge'])
  expect(sent).toBeLessThan(200 * megabyte)
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 * megabyte)
  expect(await kept()).toEqual(nothing)
})

test('rejects a photo for an unknown car or another user’s car before reading the body', async () => {
  const other = await aListing(server)
  for (const carId of [other.car._id, 'ab'.repeat(12)]) {
    // No body is sent, so a server that read it would hang.
    const answer = await upload((sending) => sending.flushHeaders(), { 'content-length': 5000 }, carId)
    expect([answer.status, answer.code]).toEqual([404, 'NotFound'])
  }
})

test('processes 50 megapixels from 25 kB while serving other requests', async () => {
  const bomb = aPng(10_000, 5_000)
  expect(bomb.length).toBeLessThan(40_000)
  let isDrawn = false
  const drawing = upload(bomb).finally(() => {
    isDrawn = true
  })
  let [reads, most] = [0, 0]
  while (!isDrawn) {
    expect((await shown()).length).toBeLessThanOrEqual(1)
    reads++
    most = Math.max(most, drawerMemory())
    await pause(5)
  }
  expect((await drawing).status).toBe(201)
  expect(reads).toBeGreaterThan(3)
  expect(most).toBeLessThan(700 * megabyte)
})

test.each(['jpeg', 'png', 'webp'] as const)(
  'stores only the image from a %s that is also HTML',
  async (format) => {
    const answer = await upload(await aPolyglot(format))
    expect(answer.status).toBe(201)
    const [photo] = await shown()
    if (!photo) throw new Error('no photo')
    for (const ending of ['avif', 'jpg'] as const) {
      const { rawPayload, headers } = await server.app.inject({
        url: photoAddress(photo, photo.width, ending),
      })
      expect(rawPayload.toString('latin1')).not.toMatch(/script|domain/)
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  },
)

test('stores nothing when the client disconnects during the upload', async () => {
  const rowsBefore = (await kept()).rows.length
  const gone = upload(
    (sending) => {
      sending.write(half(jpeg))
      setTimeout(() => sending.destroy(), 200)
    },
    { 'content-length': jpeg.length },
  )
  await expect(gone).rejects.toThrow()
  await vi.waitFor(async () => expect((await kept()).uploadsByCaller).toEqual([]), { timeout: 10_000 })
  expect([(await shown()).length, (await kept()).rows.length]).toEqual([0, rowsBefore])
  expect((await upload(jpeg)).status).toBe(201)
})

test('survives a crash of the image process and processes the next image', async () => {
  await upload(await aPicture())
  const pid = drawer()
  if (!pid) throw new Error('nobody draws in a process of its own')
  // Paused, because processing could end before the process is killed.
  process.kill(pid, 'SIGSTOP')
  const drawing = upload(aPng(10_000, 5_000))
  await vi.waitFor(
    () => expect(readdirSync(join(photoFolder, 'incoming'), { recursive: true }).join()).toMatch(/drawn/),
    { timeout: 60_000 },
  )
  expect((await shown()).length).toBe(1)
  process.kill(pid, 'SIGKILL')
  const crashed = await drawing
  expect([crashed.status, crashed.code]).toEqual([503, 'Unavailable'])
  expect((await shown()).length).toBe(1)
  expect((await kept()).uploadsByCaller).toEqual([])
  expect((await upload(jpeg)).status).toBe(201)
})

test('deletes the old files of killed processes at startup, but no new files', async () => {
  const incoming = join(photoFolder, 'incoming')
  for (const name of ['one-old', 'one-new']) {
    mkdirSync(join(incoming, name))
    writeFileSync(join(incoming, name, 'sent'), 'x')
  }
  const anHourAgo = new Date(Date.now() - 3_700_000)
  utimesSync(join(incoming, 'one-old'), anHourAgo, anHourAgo)
  await createPictures(server.deps).close()
  expect(readdirSync(incoming)).toEqual(['one-new'])
})

test('accepts a photo at the exact size and pixel limits', async () => {
  const pixel = photoBounds.bytes
  const filled = Buffer.concat([jpeg, Buffer.alloc(pixel - jpeg.length)])
  expect((await addPhoto(seller, car, filled)).status).toBe(201)
  expect((await addPhoto(seller, car, Buffer.concat([filled, Buffer.alloc(1)]))).status).toBe(413)
})

/** Finds the image process, if the system lists it. */
function drawer(): number | null {
  if (!existsSync('/proc/self')) return null
  // Newest first: an earlier test file may have left an idle one.
  const pids = readdirSync('/proc')
    .map(Number)
    .filter(Boolean)
    .sort((one, other) => other - one)
  const isOurs = (pid: number) =>
    fileOf(pid, 'status').includes(`PPid:\t${process.pid}\n`) &&
    fileOf(pid, 'cmdline').includes('picture-worker')
  return pids.find(isOurs) ?? null
}

function drawerMemory(): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(fileOf(drawer() ?? 0, 'status')) ?? []
  return Number(kilobytes) * 1024
}

/** Empty if the process has exited. */
function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
