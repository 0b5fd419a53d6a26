import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { publicCarPage } from '@keyturn/contract/cars/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import type { Photo } from '@keyturn/contract/kit/photo.ts'
import { photoAddress, widthsOf } from '@keyturn/contract/kit/photo-files.ts'
import { moveTrade } from '@keyturn/contract/trades/calls.ts'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { carPictures } from '../cars/actions.ts'
import { doDueJobs } from '../jobs/jobs.ts'
import { pictureJobs } from '../media/sweeping.ts'
import type { Browser } from '../test/browser.ts'
import {
  aListing,
  aRequest,
  aSaleAt,
  complete,
  confirm,
  progressOf,
  signAsBuyer,
  signAsSeller,
} from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, aSeller, aWholesaler } from '../test/people.ts'
import { addPhoto, addPhotoOfTrade, aPicture } from '../test/pictures.ts'
import { aTradeAt, codeOf } from '../test/trades.ts'
import { tradePictures } from '../trades/actions.ts'
import { dealPictures } from './actions.ts'

const house = await openHouse()
const sweep = () => doDueJobs(house.deps, pictureJobs(house.deps, [carPictures, tradePictures, dealPictures]))
const get = (url: string) => house.app.inject({ url })
const folderOf = ({ id }: Pick<Photo, 'id'>) => join(house.deps.config.dataDir, 'photos', id.slice(0, 2), id)
const ids = (photos: readonly Photo[]) => photos.map(({ id }) => id)
const remove = (seller: Browser, carId: string, photoId: string) =>
  seller.send(calls.deleteCarPhoto, { params: { carId, photoId } })

async function withPhotos(count: number) {
  const sale = await aListing(house)
  const photos: Photo[] = []
  for (let i = 0; i < count; i++) photos.push((await addPhoto(sale.seller, sale.car)).answer.photo)
  return { ...sale, photos }
}

// R-cars-25
test('whoever sees a car sees its photos, in one shape: on its page, dashboards, in the purchase', async () => {
  const { seller, car, at, photos } = await withPhotos(2)
  const buyer = await aBuyer(house)
  const page = await house.browser().ask(publicCarPage, { params: at })
  expect(page.car.photos).toEqual(photos)
  expect(Object.keys(page.car.photos[0] ?? {})).toEqual(['id', 'width', 'height', 'placeholder', 'caption'])
  expect(page.car.version).toBeGreaterThan(car.version)
  const [own] = await seller.ask(calls.carsOf, { params: { userId: seller.id } })
  expect(own?.photos).toEqual(photos)
  await buyer.ask(calls.startProgress, { body: at })
  const [theirs] = await buyer.ask(calls.carsOf, { params: { userId: buyer.id } })
  expect(theirs?.photos).toEqual(photos)
  expect((await progressOf({ seller, buyer, car, at })).carDetails.photos).toEqual(photos)
})

test('what is sent again is there already: nothing changes, and nobody draws it anew', async () => {
  const { seller, car, at } = await aListing(house)
  const picture = await aPicture()
  const draw = vi.spyOn(house.deps.pictures, 'draw')
  onTestFinished(() => draw.mockRestore())
  const first = await addPhoto(seller, car, picture)
  const again = await addPhoto(seller, car, picture)
  expect([first.status, again.status]).toEqual([201, 200])
  expect(draw).toHaveBeenCalledTimes(1)
  expect(again.answer).toEqual(first.answer)
  const { car: shown } = await house.browser().ask(publicCarPage, { params: at })
  expect([shown.photos.length, shown.version]).toEqual([1, first.answer.car.version])
})

test('the same picture, sent twice at once, is one photo', async () => {
  const { seller, car } = await aListing(house)
  const picture = await aPicture()
  const sent = await Promise.all([1, 2, 3].map(() => addPhoto(seller, car, picture)))
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  expect(new Set(sent.map(({ answer }) => answer.photo.id)).size).toBe(1)
})

test('a seller sets the order; a list that leaves one out, or was read before another came, is out of date', async () => {
  const { seller, car, photos } = await withPhotos(3)
  const params = { carId: car._id }
  const [a = '', b = '', c = ''] = ids(photos)
  const order = (photoIds: string[]) => seller.send(calls.orderCarPhotos, { params, body: { photoIds } })
  expect(ids((await order([c, a, b])).answer.photos)).toEqual([c, a, b])
  for (const wrong of [[a, b], [a, b, b], [a, b, c, c], []]) {
    const refused = await order(wrong)
    expect([refused.status, refused.refusal.errorCode]).toEqual([409, 'StaleVersion'])
    expect(ids((refused.refusal.current as { photos: Photo[] }).photos)).toEqual([c, a, b])
  }
})

test('a caption is written, changed and taken away; one that nobody can read is refused', async () => {
  const { seller, car, photos } = await withPhotos(1)
  const params = { carId: car._id, photoId: photos[0]?.id ?? '' }
  const write = (caption: string) => seller.send(calls.captionCarPhoto, { params, body: { caption } })
  expect((await write(' Odometer ')).answer.photos[0]?.caption).toBe('Odometer')
  const refused = await write('\u200b')
  expect([refused.status, refused.refusal.message]).toEqual([
    400,
    'Please describe the photo in up to 120 characters.',
  ])
  expect((await write('')).answer.photos[0]?.caption).toBe('')
  expect(
    (
      await seller.send(calls.captionCarPhoto, {
        params: { ...params, photoId: 'ab'.repeat(32) },
        body: { caption: 'x' },
      })
    ).status,
  ).toBe(404)
})

// R-cars-23
test('a car has twenty photos; of more that come at once none is kept', async () => {
  const { seller, car, at } = await withPhotos(18)
  const more = await Promise.all([1, 2, 3, 4].map(() => addPhoto(seller, car)))
  expect(more.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  const refused = more.find(({ status }) => status === 409)
  expect(refused?.refusal).toMatchObject({
    errorCode: 'TooManyPhotos',
    message: 'There are 20 photos already. Delete one to make room.',
  })
  const page = await house.browser().ask(publicCarPage, { params: at })
  expect(page.car.photos).toHaveLength(20)
  // What was stored before it was refused is swept.
  await house.moveClock('16 minutes')
  await sweep()
  const [left] = await house.query<{ count: number }>(
    'select count(*)::int from pictures where sweep_after is not null',
  )
  await house.moveClock('0')
  expect(left?.count).toBe(0)
  expect(page.car.photos.every((photo) => existsSync(folderOf(photo)))).toBe(true)
}, 480_000)

test('a fifth photo of one person on its way is asked to wait, and takes no place from anybody', async () => {
  const { seller, car } = await aListing(house)
  const pictures = await Promise.all([1, 2, 3, 4, 5, 6].map(() => aPicture()))
  const sent = await Promise.all(pictures.map((picture) => addPhoto(seller, car, picture)))
  expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 429, 429])
  const refused = sent.find(({ status }) => status === 429)
  expect([refused?.refusal.errorCode, refused?.headers['retry-after']]).toEqual(['TooManyRequests', '2'])
  expect((await addPhoto(seller, car)).status).toBe(201)
})

// R-cars-26
test('once a buyer is confirmed the photos stay as they are, until the sale is off', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, car, at } = sale
  const { photo } = (await addPhoto(seller, car)).answer
  await confirm(sale)
  const params = { carId: car._id, photoId: photo.id }
  const change = () => [
    codeOf(addPhoto(seller, car)),
    codeOf(remove(seller, car._id, photo.id)),
    codeOf(seller.send(calls.captionCarPhoto, { params, body: { caption: 'Nice' } })),
    codeOf(seller.send(calls.orderCarPhotos, { params, body: { photoIds: [photo.id] } })),
  ]
  expect(await Promise.all(change())).toEqual(Array(4).fill([409, 'DealInProgress']))
  await signAsSeller(sale)
  expect(await Promise.all(change())).toEqual(Array(4).fill([409, 'ExclusivityActive']))
  await house.moveClock('73 hours')
  for (const table of ['access_tokens', 'sessions'])
    await house.query(`update ${table} set expires_at = now() + interval '90 hours'`)
  expect((await addPhoto(seller, car)).status).toBe(201)
  await house.moveClock('0')
  expect((await house.browser().ask(publicCarPage, { params: at })).car.photos).toHaveLength(2)
})

// R-cars-27
test('a deleted photo is gone from the disk, unless another car shows the same picture', async () => {
  const [one, other] = [await aListing(house), await aListing(house)]
  const picture = await aPicture()
  const { photo } = (await addPhoto(one.seller, one.car, picture)).answer
  expect((await addPhoto(other.seller, other.car, picture)).answer.photo.id).toBe(photo.id)
  await sweep()
  expect((await remove(one.seller, one.car._id, photo.id)).answer.photos).toEqual([])
  expect((await remove(one.seller, one.car._id, photo.id)).status).toBe(404)
  await sweep()
  expect((await get(photoAddress(photo, photo.width, 'jpg'))).statusCode).toBe(200)
  await remove(other.seller, other.car._id, photo.id)
  await sweep()
  expect((await get(photoAddress(photo, photo.width, 'jpg'))).statusCode).toBe(404)
  expect(existsSync(folderOf(photo))).toBe(false)
})

// R-cars-27
test.each(['deleted', 'left'])('a car that is %s takes its photos with it', async (how) => {
  const { seller, car, at, photos } = await withPhotos(2)
  await sweep()
  expect(photos.every((photo) => existsSync(folderOf(photo)))).toBe(true)
  if (how === 'deleted') await seller.ask(calls.deleteCar, { params: { ...at, userType: 'SELLER' } })
  else await seller.ask(calls.deleteUser, { params: { userType: 'SELLER', id: seller.id } })
  await sweep()
  expect(photos.some((photo) => existsSync(folderOf(photo)))).toBe(false)
  expect(await house.query('select photos from cars where id = $1', [car._id])).toEqual([{ photos: [] }])
})

// R-deals-62
test('what both signed keeps the photos it was signed on, each proved by its name, when both have left', async () => {
  const sale = await aSaleAt(house, 'requested')
  const added = [(await addPhoto(sale.seller, sale.car)).answer.photo]
  added.push((await addPhoto(sale.seller, sale.car)).answer.photo)
  for (const act of [confirm, signAsSeller, signAsBuyer]) await act(sale)
  await complete(house, sale)
  const params = { pkgId: (await progressOf(sale)).pkgId ?? '' }
  const pkg = await sale.buyer.ask(calls.finalPackage, { params })
  expect(pkg.car.photos).toEqual(added)
  await sale.seller.ask(calls.deleteUser, { params: { userType: 'SELLER', id: sale.seller.id } })
  await sweep()
  for (const photo of added) {
    const { rawPayload } = await get(photoAddress(photo, photo.width, 'jpg'))
    expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(photo.id)
  }
  const events = await sale.buyer.ask(calls.timeline, { params: sale.at, query: {} })
  const signed = events.filter(({ event }) => /Signed/.test(event)).map(({ facts }) => facts)
  expect(signed).toMatchObject([{ photos: ids(added) }, { photos: ids(added) }])
})

// R-deals-62
test('a buyer who signed before the photos changed finds in the package what they had before their eyes', async () => {
  const { seller, car, at, photos } = await withPhotos(2)
  const sale = { seller, car, at, buyer: await aBuyer(house, { firstName: 'Basil', lastName: 'Byrd' }) }
  await aRequest(sale, sale.buyer, 9000)
  await signAsBuyer(sale)
  const [gone, stays] = photos
  if (!gone || !stays) throw new Error('two photos')
  await remove(seller, car._id, gone.id)
  const { photo: late } = (await addPhoto(seller, car)).answer
  await sweep()
  for (const act of [confirm, signAsSeller]) await act(sale)
  const params = { pkgId: (await progressOf(sale)).pkgId ?? '' }
  const pkg = await seller.ask(calls.finalPackage, { params })
  expect(pkg.car.photos).toEqual([stays, late, gone])
  expect((await get(photoAddress(gone, gone.width, 'jpg'))).statusCode).toBe(200)
})

test('a purchase that ends before both have signed keeps no photos', async () => {
  const { seller, car, at, photos } = await withPhotos(1)
  const sale = { seller, car, at, buyer: await aBuyer(house, { firstName: 'Basil', lastName: 'Byrd' }) }
  await aRequest(sale, sale.buyer, 9000)
  await signAsBuyer(sale)
  await seller.ask(calls.deleteCar, { params: { ...at, userType: 'SELLER' } })
  await sweep()
  expect(photos.some((photo) => existsSync(folderOf(photo)))).toBe(false)
})

// R-deals-62
test('the photos of a trade-in stay with the deal that it was part of', async () => {
  const [buyer, wholesaler] = [
    await aBuyer(house, { firstName: 'Basil', lastName: 'Byrd' }),
    await aWholesaler(house),
  ]
  const sale = { ...(await aListing(house)), buyer }
  const pending = await aTradeAt('OFFERED', { owner: buyer, wholesaler })
  const { photo } = (await addPhotoOfTrade(buyer, pending)).answer
  await buyer.ask(moveTrade, { params: { tradeId: pending._id }, body: { status: 'ACCEPTED' } })
  await aRequest(sale, buyer, 9000, [pending.vin])
  for (const act of [confirm, signAsSeller, signAsBuyer]) await act(sale)
  await complete(house, sale)
  await buyer.ask(calls.deleteUser, { params: { userType: 'BUYER', id: buyer.id } })
  await sweep()
  const params = {
    pkgId:
      (await house.query<{ id: string }>('select id from packages order by created_at desc limit 1'))[0]
        ?.id ?? '',
  }
  const pkg = await sale.seller.ask(calls.finalPackage, { params })
  expect(pkg.trades[0]?.photos).toEqual([photo])
  expect((await get(photoAddress(photo, photo.width, 'jpg'))).statusCode).toBe(200)
})

// R-cars-24
test('of a photo nothing is kept but what is seen on it, the right way up', async () => {
  const { seller, car } = await aListing(house)
  const place = { IFD0: { Artist: 'Quintessa' }, IFD3: { GPSLatitude: '42/1 19/1 0/1', GPSLatitudeRef: 'N' } }
  // Held upright: the camera wrote it lying, and beside it how to turn it.
  const sent = await sharp({ create: { width: 1000, height: 400, channels: 3, background: '#845' } })
    .jpeg()
    .withExif(place)
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect((await sharp(sent).metadata()).orientation).toBe(6)
  const { photo } = (await addPhoto(seller, car, sent)).answer
  expect([photo.width, photo.height]).toEqual([400, 1000])
  expect(Buffer.from(photo.placeholder, 'base64').length).toBeLessThanOrEqual(25)
  expect(widthsOf(photo)).toEqual([320, 400])
  for (const width of widthsOf(photo))
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
      const told = await sharp(file.rawPayload).metadata()
      expect([told.width, told.exif, told.icc, told.xmp, told.iptc, told.orientation]).toEqual([
        width,
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ])
      expect(file.rawPayload.toString('latin1')).not.toMatch(/Quintessa|Exif|GPS/)
    }
  const address = photoAddress(photo, 400, 'jpg')
  const kept = await house.app.inject({
    url: address,
    headers: { 'if-none-match': String((await get(address)).headers.etag) },
  })
  expect([kept.statusCode, kept.body]).toEqual([304, ''])
})

test('an address of which no photo is known is 404, whatever it looks like', async () => {
  for (const path of [
    `${'ab'.repeat(32)}/320.jpg`,
    'x/320.jpg',
    `${'ab'.repeat(32)}/..%2f..%2fsession-secret`,
    `incoming/320.jpg`,
    `${'ab'.repeat(32)}/320.svg`,
  ]) {
    const { statusCode, headers } = await get(`/photos/${path}`)
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store'])
  }
  expect(
    (await house.app.inject({ method: 'POST', url: `/photos/${'ab'.repeat(32)}/320.jpg` })).statusCode,
  ).toBe(405)
})

test('a photo without a session, and one that is sent to another address, are refused before they are read', async () => {
  const { car } = await aListing(house)
  expect((await addPhoto(house.browser(), car)).status).toBe(401)
  const stranger = await aSeller(house)
  expect((await addPhoto(stranger, car)).status).toBe(404)
  const { statusCode } = await house.app.inject({
    method: 'POST',
    url: '/auth/login',
    headers: { 'content-type': 'image/jpeg', 'sec-fetch-site': 'same-origin' },
    payload: await aPicture(),
  })
  expect(statusCode).toBe(415)
})
