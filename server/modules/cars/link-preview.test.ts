import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { deleteCarPhoto, orderCarPhotos, updatePrice } from '@keyturn/contract/cars/endpoints.ts'
import { deleteCar } from '@keyturn/contract/deals/endpoints.ts'
import { photoAddress } from '@keyturn/contract/shared/photo-files.ts'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { openAppWithPages } from '../../../tests/support/pages.ts'
import { addPhoto, aPicture } from '../../../tests/support/pictures.ts'
import { aListing } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { readDerivedFile, storeDerivedFile } from '../../platform/storage/derived-files.ts'
import { pictureTasks } from '../../platform/storage/sweep-pictures.ts'
import { dealPictureUse } from '../agreements/signed-photos.ts'
import { carPictureUse } from './repository.ts'

// Requests like those of chat programs: over a real connection, without cookies, with their user
// agent.

const publicUrl = 'https://keyturn.example'
const server = await startTestServer()
const app = await openAppWithPages(server, {
  config: { ...server.deps.config, publicUrl: new URL(publicUrl) },
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })

const crawlers: Record<string, Record<string, string>> = {
  WhatsApp: { 'user-agent': 'WhatsApp/2.23.20.0 A', accept: '*/*' },
  'iMessage, which claims to be three others': {
    'user-agent':
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  },
  'Slack, which requests only the beginning': {
    'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    accept: '*/*',
    'accept-encoding': 'deflate, gzip',
    range: 'bytes=0-32768',
  },
}

const [chat = {}] = Object.values(crawlers)

type Link = { userId: string; vin: string }
async function open(link: Link, headers = chat) {
  const sent = await fetch(`${address}/car?${new URLSearchParams(link)}`, { headers })
  const html = await sent.text()
  const meta = Object.fromEntries(
    [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(
      ([, name = '', content = '']) => [name, content.replaceAll('&amp;', '&')],
    ),
  )
  return { sent, html, meta, image: meta['og:image'] ?? '' }
}

async function load(image: string, headers = chat) {
  expect(image.startsWith(`${publicUrl}/car/preview.`)).toBe(true)
  const sent = await fetch(address + image.slice(publicUrl.length), { headers })
  const bytes = Buffer.from(await sent.arrayBuffer())
  return { sent, bytes }
}

/** A photo of 12 megapixels with noise that survives scaling. */
async function aGrainyPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const
  const grain = await sharp({ create: { width: 1280, height: 960, channels: 3, background: '#000', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return sharp(grain)
    .resize({ width: 4000, height: 3000, kernel: 'nearest' })
    .jpeg({ quality: 60 })
    .toBuffer()
}

const plain = (color: string, width = 1600, height = 1200) =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .jpeg()
    .toBuffer()

type Region = { left: number; top: number; width: number; height: number }
const statsOf = async (bytes: Buffer, region: Region) =>
  sharp(await sharp(bytes).extract(region).png().toBuffer()).stats()

const sweep = () => runDueJobs(server.deps, pictureTasks(server.deps, [carPictureUse, dealPictureUse]))

// R-cars-28, R-cars-32
describe.each(['with a photo', 'drawn'] as const)(
  'a link with its picture %s is previewed by',
  async (kind) => {
    const { seller, car, at } = await aListing(server, { zipCode: '87104' })
    if (kind === 'with a photo') expect((await addPhoto(seller, car, await aGrainyPhoto())).status).toBe(201)

    test.each(Object.entries(crawlers))('%s', async (_, headers) => {
      const { sent, html, meta, image } = await open(at, headers)
      expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const type = kind === 'drawn' ? 'image/png' : 'image/jpeg'
      expect(meta).toMatchObject({
        robots: 'noindex',
        'og:site_name': 'Keyturn',
        'og:title': '2003 Honda Accord EX, $9,500',
        'og:url': `${publicUrl}/car?${new URLSearchParams(at)}`,
        'og:description': expect.stringContaining('91,000 miles, Silver, 87104, NM'),
        'og:image:type': type,
        'og:image:width': '1200',
        'og:image:height': '630',
        'og:image:alt': '2003 Honda Accord EX, $9,500',
        'twitter:card': 'summary_large_image',
      })
      expect(meta['og:description']).toBe(meta.description)
      expect(html).toContain('<title>')
      // Slack reads the tags only up to this size.
      expect(html.indexOf('og:image:alt')).toBeLessThan(32_768)
      const tags = Object.values(meta).join(' ')
      for (const secret of ['Selma', 'Sanders', seller.email, seller.phoneNumber])
        expect(tags).not.toContain(secret)

      const loaded = await load(image, headers)
      expect([loaded.sent.status, loaded.sent.headers.get('content-type')]).toEqual([200, type])
      expect(Object.fromEntries(loaded.sent.headers)).toMatchObject({
        'cache-control': expect.stringContaining('immutable'),
        'cross-origin-resource-policy': 'cross-origin',
        'x-robots-tag': 'noindex',
      })
      expect(loaded.bytes.length).toBeLessThan(300_000)
      const { info } = await sharp(loaded.bytes, { failOn: 'error' })
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect([info.width, info.height]).toEqual([1200, 630])
      const { format, exif } = await sharp(loaded.bytes).metadata()
      expect([`image/${format}`, exif]).toEqual([type, undefined])
    })
  },
)

describe('the picture of a link to a car with photos', async () => {
  // R-cars-32
  test('is filled by the first photo, with readable text even on a white photo', async () => {
    const { seller, car, at } = await aListing(server)
    await addPhoto(seller, car, await plain('#fff'))
    const { bytes } = await load((await open(at)).image)
    const shades = async (region: Region) => {
      const { channels } = await statsOf(bytes, region)
      return {
        max: Math.max(...channels.map(({ max }) => max)),
        min: Math.min(...channels.map(({ min }) => min)),
      }
    }
    // Next to the words, at their height: white on a shade of 118 has a contrast of 4.5.
    expect((await shades({ left: 1140, top: 478, width: 60, height: 130 })).max).toBeLessThanOrEqual(118)
    // The words themselves, and the photo unchanged elsewhere.
    expect((await shades({ left: 64, top: 478, width: 500, height: 60 })).max).toBeGreaterThan(245)
    expect((await shades({ left: 0, top: 200, width: 1200, height: 100 })).min).toBeGreaterThan(245)
  })

  test.each([
    ['a tall one', 900, 1600],
    ['a wide one', 2400, 800],
    ['a tiny one', 60, 40],
  ])('is filled by %s', async (_, width, height) => {
    const { seller, car, at } = await aListing(server)
    await addPhoto(seller, car, await plain('#4a8', width, height))
    const { bytes } = await load((await open(at)).image)
    const { channels } = await statsOf(bytes, { left: 0, top: 200, width: 1200, height: 100 })
    for (const { stdev } of channels) expect(stdev).toBeLessThan(3)
    for (const [i, expected] of [0x44, 0xaa, 0x88].entries())
      expect(Math.abs((channels[i]?.mean ?? 0) - expected)).toBeLessThan(4)
  })

  // R-cars-32
  test('changes its URL with the first photo and the price; older URLs show the current picture', async () => {
    const { seller, car, at } = await aListing(server)
    const drawn = (await open(at)).image
    const first = (await addPhoto(seller, car, await plain('#c00'))).answer.photo
    const second = (await addPhoto(seller, car, await plain('#00c'))).answer.photo
    const red = (await open(at)).image
    const params = { carId: car._id }
    await seller.ask(orderCarPhotos, { params, body: { photoIds: [second.id, first.id] } })
    const blue = (await open(at)).image
    const before = (await load(blue)).bytes
    await seller.ask(updatePrice, { params, body: { newPrice: 9100 } })
    const cheaper = (await open(at)).image
    expect(new Set([drawn, red, blue, cheaper]).size).toBe(4)
    expect((await load(cheaper)).bytes.equals(before)).toBe(false)
    for (const older of [drawn, red, blue]) {
      const { sent, bytes } = await load(older)
      expect(Object.fromEntries(sent.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'no-cache',
      })
      expect(bytes.equals((await load(cheaper)).bytes)).toBe(true)
    }
  })

  // R-cars-32
  test('is drawn once and stored next to the photo, where no URL serves it', async () => {
    const { seller, car, at } = await aListing(server)
    const { photo } = (await addPhoto(seller, car, await aPicture(800, 600))).answer
    const store = vi.spyOn(server.deps.pictures.store, 'open')
    const { image } = await open(at)
    const first = await load(image)
    const again = await load(image)
    expect(again.bytes.equals(first.bytes)).toBe(true)
    const read = store.mock.calls.map(([, name]) => name)
    store.mockRestore()
    expect(read).toEqual(['preview', `${photo.width}.jpg`, 'preview'])
    for (const name of ['preview', 'preview.jpg'])
      expect((await fetch(`${address}/photos/${photo.id}/${name}`)).status).toBe(404)
  })

  // R-cars-27
  test('is deleted with its photo, and not stored if the photo is deleted in the meantime', async () => {
    const { seller, car, at } = await aListing(server)
    const { photo } = (await addPhoto(seller, car)).answer
    const before = (await open(at)).image
    await load(before)
    expect(await readDerivedFile(server.deps, photo, 'preview')).not.toBeNull()
    await seller.ask(deleteCarPhoto, { params: { carId: car._id, photoId: photo.id } })
    // While the photo is marked as deleted and not yet removed, no derived file can be stored for
    // it.
    await storeDerivedFile(server.deps, photo, 'preview', Buffer.from('late'))
    expect((await readDerivedFile(server.deps, photo, 'preview'))?.toString()).not.toBe('late')
    await sweep()
    expect(await readDerivedFile(server.deps, photo, 'preview')).toBeNull()
    await storeDerivedFile(server.deps, photo, 'preview', Buffer.from('later'))
    await server.deps.pictures.store.add(photo.id, 'preview', Buffer.from('without a look'))
    expect(await readDerivedFile(server.deps, photo, 'preview')).toBeNull()
    const { sent } = await load(before)
    expect(sent.headers.get('content-type')).toBe('image/png')
    expect(readdirSync(join(server.deps.config.dataDir, 'photos', 'incoming'))).toEqual([])
  })

  // R-cars-27
  test('is deleted with its listing', async () => {
    const { seller, car, at } = await aListing(server)
    const { photo } = (await addPhoto(seller, car)).answer
    const { image } = await open(at)
    await load(image)
    await seller.ask(deleteCar, { params: { userType: 'SELLER', userId: seller.id, vin: car.vin } })
    await sweep()
    expect(await readDerivedFile(server.deps, photo, 'preview')).toBeNull()
    for (const none of [image, `${publicUrl}/car/preview.png`])
      expect((await load(none)).sent.status).toBe(404)
    expect((await fetch(address + photoAddress(photo, photo.width, 'jpg'))).status).toBe(404)
  })

  test('returns an uncacheable 503 while its photo cannot be read', async () => {
    const { seller, car, at } = await aListing(server)
    await addPhoto(seller, car)
    const { image } = await open(at)
    const away = vi.spyOn(server.deps.pictures.store, 'open').mockRejectedValue(new Error('away'))
    const { sent } = await load(image)
    away.mockRestore()
    expect([sent.status, sent.headers.get('cache-control')]).toEqual([503, 'no-store'])
    expect((await load(image)).sent.status).toBe(200)
  })
})
