import { addCar, publicCarPage } from '@keyturn/contract/cars/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { listNotifications } from '@keyturn/contract/notifications/calls.ts'
import pg from 'pg'
import { expect, test } from 'vitest'
import {
  aCarForm,
  aListing,
  aRequest,
  aSaleAt,
  buyerSignature,
  confirm,
  progressOf,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../test/deals.ts'
import { digestOf } from '../test/digest.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, anAdministrator, mailsTo, type TestPerson } from '../test/people.ts'

// What a seller changes of their own listing, or takes down, in the eyes of those who want the car.

const house = await openHouse()

// R-everywhere-5
test('a signature sent with the version from before the car was edited is refused', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, buyer, at, car } = sale
  const { version } = await progressOf(sale)
  const sign = (given: number) =>
    buyer.send(calls.updateProgress, { body: { ...at, version: given, data: buyerSignature() } })
  await seller.ask(calls.editCar, { body: { vin: car.vin, mileage: 192_000 } })
  const late = await sign(version)
  expect(late.refusal).toMatchObject({
    errorCode: 'StaleVersion',
    current: { terms: { mileage: 192_000 }, buyerSigned: false },
  })
  const now = await progressOf(sale)
  expect((await sign(now.version)).answer.buyerSigned).toBe(true)
})

// R-cars-7
test.each([{ make: 'Acura' }, { carModel: 'Civic' }, { year: 2004 }, { mileage: 192_001 }])(
  'changing %j changes what is signed: the signature before it no longer counts',
  async (edit) => {
    const sale = await aSaleAt(house, 'requested')
    expect((await signAsBuyer(sale)).buyerSigned).toBe(true)
    await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, ...edit } })
    expect((await progressOf(sale)).buyerSigned).toBe(false)
  },
)

test('an edit that touches no term makes nobody’s version old', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { version } = await progressOf(sale)
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, color: 'Blue' } })
  expect((await progressOf(sale)).version).toBe(version)
})

test('every buyer’s version grows with a changed term, whatever they are about', async () => {
  const sale = await aSaleAt(house, 'requested')
  const [denied, looking] = [await aBuyer(house), await aBuyer(house)]
  await aRequest(sale, denied, 9100)
  const answer = { ...sale.at, buyerId: denied.id, status: 'REJECTED' }
  await sale.seller.ask(calls.decideBuyer, { body: answer })
  await looking.ask(calls.startProgress, { body: sale.at })
  const versions = () =>
    Promise.all(
      [sale.buyer, denied, looking].map(async (buyer) => (await progressOf({ ...sale, buyer })).version),
    )
  const before = await versions()
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, year: 2004 } })
  const after = await versions()
  for (const [place, version] of after.entries()) expect(version).toBeGreaterThan(before[place] ?? 0)
  await confirm(sale)
  expect((await signAsBuyer(sale)).terms?.year).toBe(2004)
})

test('a new asking price reaches the open pages of buyers who have not asked yet, or were denied', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, buyer, car, at } = sale
  await turnDown(sale)
  const looking = await aBuyer(house)
  await looking.ask(calls.startProgress, { body: at })
  const told = await signalledBy(() =>
    seller.ask(calls.updatePrice, { params: { carId: car._id }, body: { newPrice: 9900 } }),
  )
  for (const person of [seller, buyer, looking]) expect(told).toContain(person.id)
  expect((await progressOf(sale)).askingPrice).toBe(990_000)
  const nobodys = await aListing(house)
  const alone = await signalledBy(() =>
    nobodys.seller.ask(calls.updatePrice, { params: { carId: nobodys.car._id }, body: { newPrice: 9900 } }),
  )
  expect(alone).toContain(nobodys.seller.id)
  expect(alone).not.toContain(looking.id)
})

/** Everything that open pages were signalled while `act` ran, and a moment more. */
async function signalledBy(act: () => Promise<unknown>): Promise<string> {
  const client = new pg.Client({ connectionString: house.databaseUrl })
  await client.connect()
  try {
    const heard: string[] = []
    client.on('notification', ({ payload = '' }) => heard.push(payload))
    await client.query('listen keyturn')
    await act()
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    // What was sent before is delivered before the next answer.
    await client.query('select 1')
    return heard.join('\n')
  } finally {
    await client.end()
  }
}

// R-deals-25
test('the seller’s price stands for the car and its pending requests, voids signatures and tells the buyer', async () => {
  const sale = await aSaleAt(house, 'requested')
  await signAsBuyer(sale)
  const priced = await sale.seller.ask(calls.updatePrice, {
    params: { carId: sale.car._id },
    body: { newPrice: 9900, sellerId: sale.seller.id },
  })
  expect(priced.price).toBe(990000)
  expect(await progressOf(sale)).toMatchObject({
    price: 990000,
    buyerSigned: false,
    activeBuyerStep: 6,
    agreementSigned: false,
  })
  const [event] = await sale.buyer.ask(calls.timeline, { params: sale.at })
  expect(event).toMatchObject({ event: 'priceChanged', from: '$9,000', to: '$9,900' })
  await signAsBuyer(sale)
  expect((await progressOf(sale)).buyerSigned).toBe(true)
})

test.each([
  ['car', 'deals'],
  ['request', 'cars'],
])('a new price voids a signature by the terms of the %s alone', async (_, other) => {
  const sale = await aSaleAt(house, 'requested')
  await signAsBuyer(sale)
  await sale.seller.ask(calls.updatePrice, { params: { carId: sale.car._id }, body: { newPrice: 9900 } })
  // Both have risen, and either hides that the other might not have.
  const which = other === 'cars' ? 'id' : 'car_id'
  await house.query(`update ${other} set terms_version = terms_version - 1 where ${which} = $1`, [
    sale.car._id,
  ])
  expect((await progressOf(sale)).buyerSigned).toBe(false)
})

// R-deals-34
test('a signature does not come back to life when the price is changed back', async () => {
  const sale = await aSaleAt(house, 'requested')
  await signAsBuyer(sale)
  for (const newPrice of [9900, 9000])
    await sale.seller.ask(calls.updatePrice, { params: { carId: sale.car._id }, body: { newPrice } })
  expect((await progressOf(sale)).buyerSigned).toBe(false)
})

// R-deals-28
test('a seller who has not read every request neither prices the car anew nor edits nor deletes it', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, car } = sale
  const versionNow = async () =>
    (await seller.ask(calls.carsOf, { params: { userId: seller.id } })).find(({ _id }) => _id === car._id)
      ?.version ?? 0
  const act = async (version: number) => [
    await seller.send(calls.updatePrice, { params: { carId: car._id }, body: { newPrice: 9800, version } }),
    await seller.send(calls.editCar, { body: { vin: car.vin, color: 'Blue', version } }),
    await seller.send(calls.deleteCar, {
      params: { userType: 'SELLER', userId: seller.id, vin: car.vin },
      query: { version },
    }),
  ]
  const read = await versionNow()
  const second = await aBuyer(house)
  await aRequest(sale, second, 9700)
  const before = await digestOf(house)
  for (const unread of [car.version, read])
    for (const sent of await act(unread)) {
      expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'StaleVersion'])
      expect(sent.refusal.current).toMatchObject({ version: await versionNow() })
    }
  expect(await digestOf(house)).toEqual(before)
  await confirm({ ...sale, buyer: second })
  await turnDown({ ...sale, buyer: second })
  const priced = await seller.ask(calls.updatePrice, {
    params: { carId: car._id },
    body: { newPrice: 9800, version: await versionNow() },
  })
  expect(priced.version).toBe(await versionNow())
})

test('a listing that was read before a request ended confirms nobody else in its place', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, buyer, car, at } = sale
  const second = await aBuyer(house)
  await aRequest(sale, second, 7000)
  const [read] = await seller.ask(calls.carsOf, { params: { userId: seller.id } })
  expect(read?.buyerId).toBe(buyer.id)
  await buyer.ask(calls.deleteCar, { params: { userType: 'BUYER', userId: buyer.id, vin: car.vin } })
  const before = await digestOf(house)
  const sent = await seller.send(calls.decideBuyer, {
    body: { ...at, status: 'ACCEPTED', version: read?.version },
  })
  expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  expect(await digestOf(house)).toEqual(before)
})

test('the price that stands everywhere already is no change, and voids no signature', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, car } = sale
  const setPrice = (newPrice: number) =>
    seller.ask(calls.updatePrice, { params: { carId: car._id }, body: { newPrice } })
  await setPrice(9000)
  await signAsBuyer(sale)
  const before = await digestOf(house)
  await setPrice(9000)
  expect(await digestOf(house)).toEqual(before)
  expect((await progressOf(sale)).buyerSigned).toBe(true)
  await setPrice(9100)
  expect((await progressOf(sale)).buyerSigned).toBe(false)
})

// R-deals-26
test('while a buyer is accepted the car is neither re-priced, edited nor deleted', async () => {
  const sale = await aSaleAt(house, 'confirmed')
  const price = { params: { carId: sale.car._id }, body: { newPrice: 9900 } }
  const edit = { body: { vin: sale.car.vin, mileage: 92_000 } }
  const remove = { params: { userType: 'SELLER', userId: sale.seller.id, vin: sale.car.vin } }
  const tries = () =>
    Promise.all([
      sale.seller.send(calls.updatePrice, price),
      sale.seller.send(calls.editCar, edit),
      sale.seller.send(calls.deleteCar, remove),
    ])
  for (const sent of await tries())
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'DealInProgress'])
  await signAsSeller(sale)
  for (const sent of await tries())
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'ExclusivityActive'])
  const release = await sale.seller.send(calls.decideBuyer, { body: { ...sale.at, status: 'REJECTED' } })
  expect(release.refusal.errorCode).toBe('ExclusivityActive')
})

// R-cars-3
test('prices that are no whole dollars from 1 to 10,000,000 are refused', async () => {
  const { seller, car } = await aListing(house)
  for (const newPrice of [0, -5, 1.5, 10_000_001, '9500', null]) {
    const sent = await seller.send(calls.updatePrice, { params: { carId: car._id }, body: { newPrice } })
    expect([sent.status, sent.refusal.message]).toEqual([400, 'Invalid price.'])
  }
})

// R-cars-8
test('a price that names another seller is refused as a listing for another is, and nothing changes', async () => {
  const { seller, car, at } = await aListing(house)
  const another = await aBuyer(house)
  const before = await digestOf(house)
  const priced = await seller.send(calls.updatePrice, {
    params: { carId: car._id },
    body: { newPrice: 8000, sellerId: another.id },
  })
  const listed = await seller.send(addCar, { body: aCarForm({ sellerId: another.id }) })
  expect([priced.status, priced.refusal]).toEqual([404, listed.refusal])
  expect(await digestOf(house)).toEqual(before)
  const own = { newPrice: 8000, sellerId: at.userId }
  expect((await seller.ask(calls.updatePrice, { params: { carId: car._id }, body: own })).price).toBe(800_000)
})

test('the requests of a listing that was deleted are as little to be had as those of none', async () => {
  const { seller, car, at } = await aSaleAt(house, 'requested')
  const requests = (carId: string) => seller.send(calls.requestsOnCar, { params: { carId } })
  expect((await requests(car._id)).answer).toHaveLength(1)
  await seller.ask(calls.deleteCar, { params: { userType: 'SELLER', ...at } })
  const none = await requests('a'.repeat(24))
  expect(none.status).toBe(404)
  expect((await requests(car._id)).body).toBe(none.body)
})

test('a listing that was taken down is neither priced, edited, asked for nor taken down again, and holds nobody here', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, buyer } = sale
  const unwanted = await aListing(house, {}, seller)
  const administrator = await anAdministrator(house)
  for (const { at } of [sale, unwanted])
    await seller.ask(calls.deleteCar, { params: { userType: 'SELLER', ...at } })
  expect(await seller.ask(calls.carsOf, { params: { userId: seller.id } })).toEqual([])
  const before = await digestOf(house)
  for (const { car } of [sale, unwanted])
    for (const sent of [
      await seller.send(calls.updatePrice, { params: { carId: car._id }, body: { newPrice: 9900 } }),
      await seller.send(calls.editCar, { body: { vin: car.vin, mileage: 92_000 } }),
      await buyer.send(calls.requestCar, { body: { vin: car.vin, price: 9100 } }),
      await administrator.send(calls.removeListing, { params: { carId: car._id } }),
    ])
      expect([sent.status, sent.refusal.errorCode]).toEqual([404, 'NotFound'])
  expect(await digestOf(house)).toEqual(before)
  await seller.ask(calls.deleteUser, { params: { userType: 'SELLER', id: seller.id } })
})

test('a request that was given up stays as it was left, and one that was turned down keeps its price', async () => {
  const sale = await aSaleAt(house, 'requested')
  const [left, denied] = [await aBuyer(house), await aBuyer(house)]
  for (const buyer of [left, denied]) await aRequest(sale, buyer, 9100)
  await left.ask(calls.deleteCar, { params: { userType: 'BUYER', userId: left.id, vin: sale.car.vin } })
  await turnDown({ ...sale, buyer: denied })
  const [row] = await sale.seller.ask(calls.carsOf, { params: { userId: sale.seller.id } })
  expect(row).toMatchObject({ waitingOffers: 1, bestOffer: 900_000 })
  const told = () =>
    Promise.all([left, denied].map(async (one) => [await mailsTo(house, one.email), await bellOf(one)]))
  const rowOf = ({ id }: TestPerson) =>
    house.query(
      `select deals.*, (select count(*) from deal_events where deal_id = deals.id) as events from deals where buyer_id = $1`,
      [id],
    )
  const before = [await told(), await rowOf(left)]
  const params = { carId: sale.car._id }
  await sale.seller.ask(calls.updatePrice, { params, body: { newPrice: 9900 } })
  expect(await rowOf(denied)).toMatchObject([{ price_cents: 910_000 }])
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, mileage: 92_000 } })
  const asDenied = await rowOf(denied)
  await confirm(sale)
  expect(await rowOf(denied)).toEqual(asDenied)
  await turnDown(sale)
  await sale.seller.ask(calls.deleteCar, { params: { userType: 'SELLER', ...sale.at } })
  expect([await told(), await rowOf(left)]).toEqual(before)
})

const bellOf = (person: TestPerson) => person.ask(listNotifications, { query: {} })

test('who only begins to look makes no listing old for its seller', async () => {
  const { seller, car, at } = await aListing(house)
  const look = async () => (await aBuyer(house)).ask(calls.startProgress, { body: at })
  await look()
  const body = { newPrice: 9900, version: car.version }
  const { version } = await seller.ask(calls.updatePrice, { params: { carId: car._id }, body })
  await look()
  const edited = await seller.ask(calls.editCar, { body: { vin: car.vin, color: 'Blue', version } })
  expect(edited.color).toBe('Blue')
})

// R-cars-4
test('a car is edited to no model year that is not sold yet', async () => {
  const { seller, car } = await aListing(house)
  const edit = (year: number) => seller.send(calls.editCar, { body: { vin: car.vin, year } })
  const tooNew = await edit(new Date().getFullYear() + 3)
  expect([tooNew.status, tooNew.refusal.errors]).toEqual([400, [{ path: 'year', message: 'Invalid year.' }]])
  expect((await edit(new Date().getFullYear())).status).toBe(200)
})

// R-deals-27
test('a deleted listing ends its link and its open requests', async () => {
  const sale = await aSaleAt(house, 'requested')
  await sale.seller.ask(calls.deleteCar, {
    params: { userType: 'SELLER', userId: sale.seller.id, vin: sale.car.vin },
  })
  expect((await house.browser().send(publicCarPage, { params: sale.at })).status).toBe(404)
  expect(await sale.buyer.ask(calls.carsOf, { params: { userId: sale.buyer.id } })).toEqual([])
  expect((await sale.buyer.send(calls.getProgress, { params: sale.at })).status).toBe(404)
})

// R-cars-13
test('the administrator takes a squatter’s listing down, nobody else does', async () => {
  const { car, seller } = await aListing(house)
  expect((await seller.send(calls.removeListing, { params: { carId: car._id } })).status).toBe(401)
  const administrator = await anAdministrator(house)
  await administrator.ask(calls.removeListing, { params: { carId: car._id }, body: { reason: 'squatter' } })
  const [row] = await house.query('select removed_because from cars where id = $1', [car._id])
  expect(row).toEqual({ removed_because: 'squatter' })
})

// R-deals-33
test('a changed term voids signatures, a changed color does not', async () => {
  const sale = await aSaleAt(house, 'requested')
  await signAsBuyer(sale)
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, color: 'Blue' } })
  expect((await progressOf(sale)).buyerSigned).toBe(true)
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, mileage: 92_000 } })
  expect((await progressOf(sale)).buyerSigned).toBe(false)
  const [event] = await sale.seller.ask(calls.timeline, { params: sale.at })
  expect(event).toMatchObject({ event: 'termsChanged', from: '2003 Honda Accord, 91,000 miles' })
})

test('a listing is taken down, and a request given up, by one’s own name alone', async () => {
  const { seller, buyer, at, car } = await aSaleAt(house, 'requested')
  const gone = (person: typeof seller, userType: string, userId: string) =>
    person.send(calls.deleteCar, { params: { userType, userId, vin: car.vin } })
  expect((await gone(seller, 'SELLER', buyer.id)).status).toBe(404)
  expect((await gone(buyer, 'BUYER', seller.id)).status).toBe(404)
  expect((await buyer.ask(calls.getProgress, { params: at })).status).toBe('PENDING')
})
