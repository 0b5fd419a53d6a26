import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as agreementEndpoints from '@keyturn/contract/agreements/endpoints.ts'
import * as carEndpoints from '@keyturn/contract/cars/endpoints.ts'
import { readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { formatPlace, type Photo } from '@keyturn/contract/shared/photo.ts'
import { photoAddress, photoWidths } from '@keyturn/contract/shared/photo-files.ts'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Browser } from '../../../tests/support/browser.ts'
import {
  aColoredJpeg,
  aColoredPng,
  type Color,
  colorSpaces,
  toSrgb,
} from '../../../tests/support/http/color-pictures.ts'
import { aBuyer, aWholesaler } from '../../../tests/support/people.ts'
import { addPhoto, addPhotoOfTrade, aPicture, asFile } from '../../../tests/support/pictures.ts'
import * as moves from '../../../tests/support/sales/deal-moves.ts'
import {
  aListing,
  aRequest,
  aSaleAt,
  completeSale,
  confirmBuyer,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeAt, sendTradeMove, statusAndCode } from '../../../tests/support/trades.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { pictureTasks } from '../../platform/storage/sweep-pictures.ts'
import { dealPictureUse } from '../agreements/signed-photos.ts'
import { tradePictureUse } from '../trades/repository.ts'
import { carPictureUse } from './repository.ts'

const server = await startTestServer()
const sweep = () =>
  runDueJobs(server.deps, pictureTasks(server.deps, [carPictureUse, tradePictureUse, dealPictureUse]))
const get = (url: string) => server.app.inject({ url })
const folderOf = ({ id }: Pick<Photo, 'id'>) => join(server.deps.config.dataDir, 'photos', id.slice(0, 2), id)
const ids = (photos: readonly Photo[]) => photos.map(({ id }) => id)
const remove = (seller: Browser, carId: string, photoId: string) =>
  seller.send(carEndpoints.deleteCarPhoto, { params: { carId, photoId } })

const isStored = (photo: Photo) => existsSync(folderOf(photo))
const anotherPhoto = async ({ seller, car }: Parameters<typeof moves.removeListing>[0], picture?: Buffer) =>
  (await addPhoto(seller, car, picture)).answer.photo

/** A car with this many photos, and a buyer. */
async function aSaleWithPhotos(count: number) {
  const buyer = await aBuyer(server, { firstName: 'Basil', lastName: 'Byrd' })
  const sale = { ...(await aListing(server)), buyer }
  const photos: Photo[] = []
  for (let i = 0; i < count; i++) photos.push(await anotherPhoto(sale))
  return { ...sale, photos }
}
const publicCarOf = async ({ at }: { at: { userId: string; vin: string } }) =>
  (await server.browser().ask(readPublicCar, { params: at })).car

// R-cars-25
test('shows the same photos on the public page, both dashboards and the progress', async () => {
  const { photos, ...sale } = await aSaleWithPhotos(2)
  const { seller, buyer, car, at } = sale
  const shown = await publicCarOf(sale)
  expect(shown.photos).toEqual(photos)
  expect(Object.keys(shown.photos[0] ?? {})).toEqual(['id', 'width', 'height', 'placeholder', 'caption'])
  expect(shown.version).toBeGreaterThan(car.version)
  await buyer.ask(calls.startProgress, { body: at })
  for (const person of [seller, buyer]) expect((await moves.listCarsOf(person))[0]?.photos).toEqual(photos)
  expect((await readProgressOf(sale)).carDetails.photos).toEqual(photos)
})

test('stores a repeated upload once, also when concurrent, without processing it again', async () => {
  const listing = await aListing(server)
  const { seller, car } = listing
  const picture = await aPicture()
  const sent = await Promise.all([1, 2, 3].map(() => addPhoto(seller, car, picture)))
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  const { version } = await publicCarOf(listing)
  const draw = vi.spyOn(server.deps.pictures, 'draw')
  onTestFinished(() => draw.mockRestore())
  const again = await addPhoto(seller, car, picture)
  expect([again.status, again.answer.car.version]).toEqual([200, version])
  expect(draw).not.toHaveBeenCalled()
  expect((await publicCarOf(listing)).photos).toEqual([sent[0]?.answer.photo])
})

test('stores the order of photos, and rejects a list that does not contain all of them', async () => {
  const { seller, car, photos } = await aSaleWithPhotos(3)
  const params = { carId: car._id }
  const [a = '', b = '', c = ''] = ids(photos)
  const order = (photoIds: string[]) =>
    seller.send(carEndpoints.orderCarPhotos, { params, body: { photoIds } })
  expect(ids((await order([c, a, b])).answer.photos)).toEqual([c, a, b])
  for (const wrong of [[a, b], [a, b, b], [a, b, c, c], []]) {
    const refused = await order(wrong)
    expect([refused.status, refused.error.errorCode]).toEqual([409, 'StaleVersion'])
    expect(ids((refused.error.current as { photos: Photo[] }).photos)).toEqual([c, a, b])
  }
})

// R-cars-35
test('shows the photos of each page in the order in which they were picked, whichever arrived first', async () => {
  const listing = await aListing(server)
  const { seller, car } = listing
  const [one, other] = ['a1'.repeat(8), 'b2'.repeat(8)]
  const names = new Map<string, string>()
  const send = async (batch: string, number: number) => {
    const { photo } = (await addPhoto(seller, car, undefined, formatPlace(batch, number))).answer
    names.set(photo.id, `${batch.slice(0, 1)}${number}`)
  }
  const shown = async () => ids((await publicCarOf(listing)).photos).map((id) => names.get(id))
  await send(one, 3)
  await send(other, 2)
  // The fifth failed, and is sent again later.
  for (const number of [1, 10, 2, 4]) await send(one, number)
  await send(other, 1)
  await Promise.all([9, 7, 8, 6].map((number) => send(one, number)))
  expect(await shown()).toEqual(['a1', 'a2', 'a3', 'a4', 'a6', 'a7', 'a8', 'a9', 'a10', 'b1', 'b2'])
  await send(one, 5)
  expect((await shown()).slice(3, 6)).toEqual(['a4', 'a5', 'a6'])
  // A place that is taken does not count.
  const taken = await anotherPhoto(listing)
  const again = (await addPhoto(seller, car, undefined, formatPlace(one, 1))).answer.photo
  expect(ids((await publicCarOf(listing)).photos).slice(-2)).toEqual([taken.id, again.id])
})

// R-cars-37
test('stores the caption that comes with a photo, and keeps a later one when it is sent again', async () => {
  const { seller, car } = await aListing(server)
  const at = { params: { carId: car._id } }
  const file = asFile(await aPicture())
  const send = () => seller.ask(carEndpoints.addCarPhoto, { ...at, query: { caption: 'Damage' }, ...file })
  const { photo } = await send()
  expect(photo.caption).toBe('Damage')
  const body = { caption: 'Damage: scratch on the door' }
  await seller.ask(carEndpoints.captionCarPhoto, { params: { ...at.params, photoId: photo.id }, body })
  expect((await send()).car.photos.map(({ caption }) => caption)).toEqual([body.caption])
})

// R-cars-35
test('keeps the owner’s order when a late photo arrives', async () => {
  const listing = await aListing(server)
  const { seller, car } = listing
  const send = async (number: number) =>
    (await addPhoto(seller, car, undefined, formatPlace('c3'.repeat(8), number))).answer.photo.id
  const [first, second, fourth] = [await send(1), await send(2), await send(4)]
  await seller.ask(carEndpoints.orderCarPhotos, {
    params: { carId: car._id },
    body: { photoIds: [fourth, second, first] },
  })
  const third = await send(3)
  expect(ids((await publicCarOf(listing)).photos)).toEqual([fourth, second, first, third])
})

test('stores and removes a caption, and rejects an invisible one', async () => {
  const { seller, car, photos } = await aSaleWithPhotos(1)
  const write = (caption: string, photoId = photos[0]?.id ?? '') =>
    seller.send(carEndpoints.captionCarPhoto, { params: { carId: car._id, photoId }, body: { caption } })
  for (const [caption, stored] of [
    [' Odometer ', 'Odometer'],
    ['', ''],
  ] as const)
    expect((await write(caption)).answer.photos[0]?.caption).toBe(stored)
  const { status, error } = await write('\u200b')
  expect([status, error.message]).toEqual([400, 'Please describe the photo in up to 120 characters.'])
  expect((await write('x', 'ab'.repeat(32))).status).toBe(404)
})

// R-cars-23
test('rejects photos beyond the twentieth, also when concurrent, and stores nothing of them', async () => {
  const { photos, ...sale } = await aSaleWithPhotos(18)
  const more = await Promise.all([1, 2, 3, 4].map(() => addPhoto(sale.seller, sale.car)))
  expect(more.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  expect(more.find(({ status }) => status === 409)?.error).toMatchObject({
    errorCode: 'TooManyPhotos',
    message: 'There are 20 photos already. Delete one to make room.',
  })
  const shown = await publicCarOf(sale)
  expect(shown.photos).toHaveLength(20)
  // Files stored before the rejection are swept.
  await server.moveClock('16 minutes')
  await sweep()
  const left = await server.query('select from pictures where sweep_after is not null')
  await server.moveClock('0')
  expect(left).toEqual([])
  expect(shown.photos.every(isStored)).toBe(true)
}, 480_000)

// R-cars-26
test('rejects changes to photos from the confirmation until the hold lapses', async () => {
  const sale = await aSaleAt(server, 'requested')
  const { seller, car } = sale
  const photo = await anotherPhoto(sale)
  await confirmBuyer(sale)
  const params = { carId: car._id, photoId: photo.id }
  const change = () => [
    statusAndCode(addPhoto(seller, car)),
    statusAndCode(remove(seller, car._id, photo.id)),
    statusAndCode(seller.send(carEndpoints.captionCarPhoto, { params, body: { caption: 'Nice' } })),
    statusAndCode(seller.send(carEndpoints.orderCarPhotos, { params, body: { photoIds: [photo.id] } })),
  ]
  expect(await Promise.all(change())).toEqual(Array(4).fill([409, 'DealInProgress']))
  await signAsSeller(sale)
  expect(await Promise.all(change())).toEqual(Array(4).fill([409, 'ExclusivityActive']))
  await server.query('update deals set exclusive_until = keyturn_now() where car_id = $1', [car._id])
  await anotherPhoto(sale)
  expect((await publicCarOf(sale)).photos).toHaveLength(2)
})

// R-cars-27
test('deletes the files of a photo unless another car shows the same picture', async () => {
  const [one, other] = [await aListing(server), await aListing(server)]
  const picture = await aPicture()
  const photo = await anotherPhoto(one, picture)
  expect((await anotherPhoto(other, picture)).id).toBe(photo.id)
  await sweep()
  expect((await remove(one.seller, one.car._id, photo.id)).answer.photos).toEqual([])
  expect((await remove(one.seller, one.car._id, photo.id)).status).toBe(404)
  await sweep()
  expect((await get(photoAddress(photo, photo.width, 'jpg'))).statusCode).toBe(200)
  await remove(other.seller, other.car._id, photo.id)
  await sweep()
  expect((await get(photoAddress(photo, photo.width, 'jpg'))).statusCode).toBe(404)
  expect(isStored(photo)).toBe(false)
})

// R-cars-27
test.each([
  ['a car that is deleted', moves.removeListing],
  ['the account of its seller', ({ seller }: Sale) => moves.deleteAccount(seller, 'SELLER')],
  ['a sale that only its buyer has signed', endSigned],
])('deletes the photos with %s', async (_, end) => {
  const { photos, ...sale } = await aSaleWithPhotos(2)
  await sweep()
  expect(photos.every(isStored)).toBe(true)
  await end(sale)
  await sweep()
  expect(photos.some(isStored)).toBe(false)
  expect(await server.query('select photos from cars where id = $1', [sale.car._id])).toEqual([
    { photos: [] },
  ])
})

async function endSigned(sale: Sale) {
  await aRequest(sale, sale.buyer, 9000)
  await signAsBuyer(sale)
  await moves.removeListing(sale)
}

// R-deals-62
test('retains the signed photos, each named by its digest, after the seller’s account is deleted', async () => {
  const { photos: added, ...sale } = await aSaleWithPhotos(2)
  await aRequest(sale, sale.buyer, 9000)
  for (const act of [confirmBuyer, signAsSeller, signAsBuyer]) await act(sale)
  await completeSale(server, sale)
  const params = { pkgId: await moves.readPackageIdOf(sale) }
  expect((await sale.buyer.ask(agreementEndpoints.readPackage, { params })).car.photos).toEqual(added)
  await moves.deleteAccount(sale.seller, 'SELLER')
  await sweep()
  for (const photo of added) {
    const { rawPayload } = await get(photoAddress(photo, photo.width, 'jpg'))
    expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(photo.id)
  }
  const events = await moves.readTimelineOf(sale)
  const signed = events.filter(({ event }) => /Signed/.test(event)).map(({ facts }) => facts)
  expect(signed).toMatchObject([{ photos: ids(added) }, { photos: ids(added) }])
})

// R-deals-62
test('retains a photo in the package when it was deleted after the buyer signed', async () => {
  const { photos, ...sale } = await aSaleWithPhotos(2)
  await aRequest(sale, sale.buyer, 9000)
  await signAsBuyer(sale)
  const [gone, stays] = photos
  if (!gone || !stays) throw new Error('two photos')
  await remove(sale.seller, sale.car._id, gone.id)
  const late = await anotherPhoto(sale)
  await sweep()
  for (const act of [confirmBuyer, signAsSeller]) await act(sale)
  const params = { pkgId: await moves.readPackageIdOf(sale) }
  const pkg = await sale.seller.ask(agreementEndpoints.readPackage, { params })
  expect(pkg.car.photos).toEqual([stays, late, gone])
  expect((await get(photoAddress(gone, gone.width, 'jpg'))).statusCode).toBe(200)
})

// R-deals-62
test('retains the photos of a trade-in with its deal', async () => {
  const sale = await aSaleWithPhotos(0)
  const { buyer } = sale
  const trade = await aTradeAt('OFFERED', { owner: buyer, wholesaler: await aWholesaler(server) })
  const { photo } = (await addPhotoOfTrade(buyer, trade)).answer
  await sendTradeMove(buyer, trade, { status: 'ACCEPTED' })
  await aRequest(sale, buyer, 9000, [trade.vin])
  for (const act of [confirmBuyer, signAsSeller, signAsBuyer]) await act(sale)
  await completeSale(server, sale)
  const params = { pkgId: await moves.readPackageIdOf(sale) }
  await moves.deleteAccount(buyer, 'BUYER')
  await sweep()
  const pkg = await sale.seller.ask(agreementEndpoints.readPackage, { params })
  expect(pkg.trades[0]?.photos).toEqual([photo])
  expect((await get(photoAddress(photo, photo.width, 'jpg'))).statusCode).toBe(200)
})

// R-cars-24
test('stores pictures upright and without metadata', async () => {
  const { seller, car } = await aListing(server)
  const place = { IFD0: { Artist: 'Quintessa' }, IFD3: { GPSLatitude: '42/1 19/1 0/1', GPSLatitudeRef: 'N' } }
  // A portrait photo that the camera stored in landscape with an orientation tag.
  const sent = await sharp({ create: { width: 1000, height: 400, channels: 3, background: '#845' } })
    .jpeg()
    .withExif(place)
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect((await sharp(sent).metadata()).orientation).toBe(6)
  const { photo } = (await addPhoto(seller, car, sent)).answer
  expect([photo.width, photo.height]).toEqual([400, 1000])
  expect(Buffer.from(photo.placeholder, 'base64').length).toBeLessThanOrEqual(25)
  expect(photoWidths(photo)).toEqual([320, 400])
  for (const width of photoWidths(photo))
    for (const [format, type] of [
      ['avif', 'image/avif'],
      ['jpg', 'image/jpeg'],
    ] as const) {
      const file = await get(photoAddress(photo, width, format))
      expect(file.headers).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-length': String(file.rawPayload.length),
      })
      const { width: drawn, exif, icc, xmp, iptc, orientation } = await sharp(file.rawPayload).metadata()
      expect([drawn, exif, icc, xmp, iptc, orientation]).toEqual([width, ...Array(5).fill(undefined)])
      expect(file.rawPayload.toString('latin1')).not.toMatch(/Quintessa|Exif|GPS/)
    }
  const url = photoAddress(photo, 400, 'jpg')
  const headers = { 'if-none-match': String((await get(url)).headers.etag) }
  expect(await server.app.inject({ url, headers })).toMatchObject({ statusCode: 304, body: '' })
})

const { sRGB, gray } = colorSpaces
const P3 = colorSpaces['Display P3']
const adobe = colorSpaces['Adobe RGB']
const png =
  (depth: 8 | 16, space?: typeof P3 | typeof adobe | typeof sRGB | typeof gray, hasAlpha = false) =>
  (color: Color) =>
    aColoredPng(color, { depth, space, hasAlpha })
const jpeg = (space: typeof P3 | typeof adobe) => (color: Color) => aColoredJpeg(color, space)

// R-cars-24
test.each([
  ['an 8-bit PNG in Display P3', P3, png(8, P3)],
  ['an 8-bit gray PNG', gray, png(8, gray)],
  ['a 16-bit PNG without a profile', sRGB, png(16)],
  ['a 16-bit PNG in sRGB', sRGB, png(16, sRGB)],
  ['a 16-bit PNG in Display P3', P3, png(16, P3)],
  ['a 16-bit PNG in Adobe RGB', adobe, png(16, adobe)],
  ['a 16-bit transparent PNG in Display P3', P3, png(16, P3, true)],
  ['a 16-bit gray PNG', gray, png(16, gray)],
  ['a JPEG in Display P3', P3, jpeg(P3)],
  ['a JPEG in Adobe RGB', adobe, jpeg(adobe)],
] as const)('stores the colors of %s', async (_, space, draw) => {
  const { seller, car } = await aListing(server)
  for (const color of [
    [200, 60, 50],
    [120, 170, 110],
    [20, 30, 40],
    [225, 210, 130],
  ] as const) {
    const { photo } = (await addPhoto(seller, car, await draw(color))).answer
    const file = await get(photoAddress(photo, photo.width, 'jpg'))
    const stored = (await sharp(file.rawPayload).stats()).channels.map(({ mean }) => mean)
    const expected = toSrgb(space, space === gray ? [color[0], color[0], color[0]] : color)
    const offBy = expected.map((value, index) => Math.abs(value - (stored[index] ?? 0)))
    expect(Math.max(...offBy), `${color} became ${stored} instead of ${expected}`).toBeLessThanOrEqual(3)
  }
})

test.each([
  `${'ab'.repeat(32)}/320.jpg`,
  'x/320.jpg',
  `${'ab'.repeat(32)}/..%2f..%2fsession-secret`,
  'incoming/320.jpg',
  `${'ab'.repeat(32)}/320.svg`,
])('returns 404 for %s', async (path) => {
  const { statusCode, headers } = await get(`/photos/${path}`)
  expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store'])
})
