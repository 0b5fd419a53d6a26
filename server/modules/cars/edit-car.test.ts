import { addCar, readPublicCar, updatePrice } from '@keyturn/contract/cars/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { expect, onTestFinished, test } from 'vitest'
import { aBuyer, anAdministrator, readEmailsTo, type TestPerson } from '../../../tests/support/people.ts'
import * as moves from '../../../tests/support/sales/deal-moves.ts'
import {
  aCarForm,
  aListing,
  aSaleAt,
  confirmBuyer,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { digestTables } from '../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../tests/support/trades.ts'

const server = await startTestServer()

/** Returns the sale with another buyer, who has only started the wizard. */
async function aStarter(sale: Sale): Promise<Sale> {
  const buyer = await aBuyer(server)
  await buyer.ask(calls.startProgress, { body: sale.at })
  return { ...sale, buyer }
}

const isSignedBy = async (sale: Sale) => (await readProgressOf(sale)).buyerSigned
/** The version of the listing as its seller reads it, which covers its requests. */
const versionOf = async ({ seller, car }: Sale) =>
  (await moves.listCarsOf(seller)).find(({ _id }) => _id === car._id)?.version ?? 0

// R-cars-7, R-deals-33
test.each([
  [{ make: 'Acura' }, false],
  [{ carModel: 'Civic' }, false],
  [{ year: 2004 }, false],
  [{ mileage: 192_001 }, false],
  [{ color: 'Blue' }, true],
])('voids a signature only when a term changes: after %j, it is valid: %s', async (edit, isValid) => {
  const sale = await aSaleAt(server, 'requested')
  const { version } = await signAsBuyer(sale)
  await moves.editCar(sale, edit)
  const now = await readProgressOf(sale)
  expect([now.buyerSigned, now.version === version]).toEqual([isValid, isValid])
  const [event] = await moves.readTimelineOf(sale)
  if (!isValid)
    expect(event).toMatchObject({ event: 'termsChanged', from: '2003 Honda Accord, 91,000 miles' })
})

test('raises the version of every buyer’s deal when a term changes', async () => {
  const sale = await aSaleAt(server, 'requested')
  const denied = await moves.anotherRequest(server, sale)
  await turnDown(denied)
  const all = [sale, denied, await aStarter(sale)]
  const versions = () => Promise.all(all.map(async (one) => (await readProgressOf(one)).version))
  const before = await versions()
  await moves.editCar(sale, { year: 2004 })
  for (const [index, version] of (await versions()).entries())
    expect(version).toBeGreaterThan(before[index] ?? 0)
  await confirmBuyer(sale)
  expect((await signAsBuyer(sale)).terms?.year).toBe(2004)
})

test('publishes a new asking price to buyers without a request and to denied buyers', async () => {
  const sale = await aSaleAt(server, 'requested')
  const { seller, buyer } = sale
  await turnDown(sale)
  const { buyer: starter } = await aStarter(sale)
  const signalsDuring = await listenForSignals()
  const signals = await signalsDuring(() => moves.setPrice(sale, 9900))
  for (const person of [seller, buyer, starter]) expect(signals).toContain(person.id)
  expect((await readProgressOf(sale)).askingPrice).toBe(990_000)
  const unrelated = await aListing(server)
  const others = await signalsDuring(() => moves.setPrice(unrelated, 9900))
  expect(others).toContain(unrelated.seller.id)
  expect(others).not.toContain(starter.id)
})

/** Returns a function that collects the signals that an action sends to open pages. */
async function listenForSignals() {
  const client = await server.deps.pool.connect()
  onTestFinished(() => client.release(true))
  const received: string[] = []
  client.on('notification', ({ payload = '' }) => received.push(payload))
  await client.query('listen keyturn')
  return async (act: () => Promise<unknown>) => {
    received.length = 0
    await act()
    await expect.poll(() => received.length).toBeGreaterThan(0)
    // PostgreSQL delivers earlier notifications before the next result.
    await client.query('select 1')
    return received.join('\n')
  }
}

// R-deals-25
test('leaves three buyers’ offers and signatures as they are when the asking price changes', async () => {
  const sale = await aSaleAt(server, 'requested')
  const sales = [
    sale,
    await moves.anotherRequest(server, sale, 9300),
    await moves.anotherRequest(server, sale),
  ]
  const started = await aBuyer(server)
  await started.ask(calls.startProgress, { body: sale.at })
  for (const one of sales) await signAsBuyer(one)
  const before = await Promise.all(sales.map(readProgressOf))
  expect((await moves.setPrice(sale, 9900)).price).toBe(990_000)
  expect(await Promise.all(sales.map(readProgressOf))).toEqual(
    before.map((one) => ({ ...one, askingPrice: 990_000, now: expect.any(String) })),
  )
  for (const [index, one] of sales.entries()) {
    const [event] = await moves.readTimelineOf(one)
    expect(event).toMatchObject({ event: 'askingPriceChanged', from: '$9,500', to: '$9,900' })
    const offer = ['$9,000', '$9,300', '$9,300'][index]
    const notices = await one.buyer.ask(listNotifications)
    expect(notices.map(({ type, message }) => [type, message])).toEqual([
      [
        'PRICE_UPDATED',
        `The seller of the 2003 Honda Accord EX changed the asking price from $9,500 to $9,900. Your offer of ${offer} has not changed.`,
      ],
    ])
  }
  expect((await readProgressOf({ ...sale, buyer: started })).askingPrice).toBe(990_000)
  expect(await started.ask(listNotifications)).toEqual([])
})

// R-deals-34
test('does not restore a signature when a term is changed back', async () => {
  const sale = await aSaleAt(server, 'requested')
  await signAsBuyer(sale)
  for (const mileage of [92_000, 91_000]) await moves.editCar(sale, { mileage })
  expect(await isSignedBy(sale)).toBe(false)
})

// R-deals-28
test('rejects a price, an edit or a deletion by a seller who has not read every request', async () => {
  const sale = await aSaleAt(server, 'requested')
  const read = await versionOf(sale)
  const second = await moves.anotherRequest(server, sale)
  const before = await digestTables(server)
  for (const version of [sale.car.version, read])
    for (const sent of [
      await moves.tryToSetPrice(sale, 9800, version),
      await moves.tryToEditCar(sale, { color: 'Blue', version }),
      await moves.tryToRemoveListing(sale, version),
    ]) {
      expect([sent.status, sent.error.errorCode]).toEqual([409, 'StaleVersion'])
      expect(sent.error.current).toMatchObject({ version: await versionOf(sale) })
    }
  expect(await digestTables(server)).toEqual(before)
  await confirmBuyer(second)
  await turnDown(second)
  const priced = await moves.setPrice(sale, 9800, await versionOf(sale))
  expect(priced.version).toBe(await versionOf(sale))
})

test('rejects a confirmation by a seller whose page predates the withdrawal of a request', async () => {
  const sale = await aSaleAt(server, 'requested')
  await moves.anotherRequest(server, sale)
  const version = await versionOf(sale)
  await moves.withdraw(sale)
  const before = await digestTables(server)
  const body = { ...sale.at, status: 'ACCEPTED', version }
  expect(await statusAndCode(sale.seller.send(calls.decideRequest, { body }))).toEqual([409, 'StaleVersion'])
  expect(await digestTables(server)).toEqual(before)
})

test('changes nothing when the price is set to its current value', async () => {
  const sale = await aSaleAt(server, 'requested')
  await moves.setPrice(sale, 9000)
  await signAsBuyer(sale)
  const before = await digestTables(server)
  await moves.setPrice(sale, 9000)
  expect(await digestTables(server)).toEqual(before)
})

// R-deals-26
test('rejects a new price, an edit and a deletion while a buyer is confirmed', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  const attempts = () => [
    statusAndCode(moves.tryToSetPrice(sale, 9900)),
    statusAndCode(moves.tryToEditCar(sale, { mileage: 92_000 })),
    statusAndCode(moves.tryToRemoveListing(sale)),
  ]
  expect(await Promise.all(attempts())).toEqual(Array(3).fill([409, 'DealInProgress']))
  await signAsSeller(sale)
  const release = { body: { ...sale.at, status: 'REJECTED' } }
  const all = [...attempts(), statusAndCode(sale.seller.send(calls.decideRequest, release))]
  expect(await Promise.all(all)).toEqual(Array(4).fill([409, 'ExclusivityActive']))
})

// R-cars-3
test('rejects prices other than whole dollars from 1 to 10,000,000', async () => {
  const listing = await aListing(server)
  for (const price of [0, -5, 1.5, 10_000_001, '9500', null]) {
    const sent = await moves.tryToSetPrice(listing, price as number)
    expect([sent.status, sent.error.message]).toEqual([400, 'Invalid price.'])
  }
})

// R-cars-8
test('rejects a price or a listing that names another seller', async () => {
  const { seller, car } = await aListing(server)
  const { id: sellerId } = await aBuyer(server)
  const before = await digestTables(server)
  const price = { params: { carId: car._id }, body: { newPrice: 8000, sellerId } }
  const priced = await seller.send(updatePrice, price)
  const listed = await seller.send(addCar, { body: aCarForm({ sellerId }) })
  expect([priced.status, priced.error]).toEqual([404, listed.error])
  expect(await digestTables(server)).toEqual(before)
})

test('returns 404 for every call on a deleted listing, which does not prevent account deletion', async () => {
  const sale = await aSaleAt(server, 'requested')
  const { seller, buyer } = sale
  const unwanted = { ...sale, ...(await aListing(server, {}, seller)) }
  const administrator = await anAdministrator(server)
  for (const one of [sale, unwanted]) await moves.removeListing(one)
  expect(await moves.listCarsOf(seller)).toEqual([])
  const before = await digestTables(server)
  for (const one of [sale, unwanted]) {
    const params = { carId: one.car._id }
    const tries = [
      seller.send(calls.listRequests, { params }),
      moves.tryToSetPrice(one, 9900),
      moves.tryToEditCar(one, { mileage: 92_000 }),
      moves.tryToRequest({ ...one, buyer }, 9100),
      administrator.send(calls.removeListing, { params }),
    ]
    for (const sent of tries) expect(await statusAndCode(sent)).toEqual([404, 'NotFound'])
  }
  expect(await digestTables(server)).toEqual(before)
  await moves.deleteAccount(seller, 'SELLER')
})

test('changes neither a withdrawn request nor the price of a denied one', async () => {
  const sale = await aSaleAt(server, 'requested')
  const withdrawn = await moves.anotherRequest(server, sale, 9100)
  const denied = await moves.anotherRequest(server, sale, 9100)
  await moves.withdraw(withdrawn)
  await turnDown(denied)
  const [row] = await moves.listCarsOf(sale.seller)
  expect(row).toMatchObject({ waitingOffers: 1, bestOffer: 900_000 })
  const news = () =>
    Promise.all(
      [withdrawn.buyer, denied.buyer].map(async (one) => [
        await readEmailsTo(server, one.email),
        await bellOf(one),
      ]),
    )
  const rowOf = ({ buyer }: Sale) =>
    server.query(
      `select deals.*, (select count(*) from deal_events where deal_id = deals.id) as events from deals where buyer_id = $1`,
      [buyer.id],
    )
  const before = [await news(), await rowOf(withdrawn)]
  await moves.setPrice(sale, 9900)
  expect(await rowOf(denied)).toMatchObject([{ price_cents: 910_000 }])
  await moves.editCar(sale, { mileage: 92_000 })
  const asDenied = await rowOf(denied)
  await confirmBuyer(sale)
  expect(await rowOf(denied)).toEqual(asDenied)
  expect([await news(), await rowOf(withdrawn)]).toEqual(before)
  // The denied buyer saw that the car was reserved, and can ask again.
  await turnDown(sale)
  const [mails, [first]] = [await news(), await readEmailsTo(server, denied.buyer.email)]
  expect(first?.subject).toContain('is available again')
  await moves.removeListing(sale)
  const mailsOnly = (all: typeof mails) => all.map(([mailed]) => mailed)
  expect([mailsOnly(await news()), await rowOf(withdrawn)]).toEqual([mailsOnly(mails), before[1]])
})

const bellOf = (person: TestPerson) => person.ask(listNotifications, { query: {} })

test('accepts an edit of a version that was read before another buyer started the wizard', async () => {
  const sale = await aSaleAt(server, 'started')
  const { version } = await moves.setPrice(sale, 9900, sale.car.version)
  await aStarter(sale)
  expect((await moves.editCar(sale, { color: 'Blue', version })).color).toBe('Blue')
})

// R-cars-4
test('rejects a model year that is not sold yet', async () => {
  const listing = await aListing(server)
  const year = new Date().getFullYear()
  const tooNew = await moves.tryToEditCar(listing, { year: year + 3 })
  expect([tooNew.status, tooNew.error.errors]).toEqual([400, [{ path: 'year', message: 'Invalid year.' }]])
  await moves.editCar(listing, { year })
})

// R-deals-27
test('ends the link and the open requests of a deleted listing', async () => {
  const sale = await aSaleAt(server, 'requested')
  await moves.removeListing(sale)
  expect((await server.browser().send(readPublicCar, { params: sale.at })).status).toBe(404)
  expect(await moves.listCarsOf(sale.buyer)).toEqual([])
  expect((await sale.buyer.send(calls.getProgress, { params: sale.at })).status).toBe(404)
})

// R-cars-13
test('stores the administrator’s reason for the removal of a listing', async () => {
  const { car } = await aListing(server)
  const administrator = await anAdministrator(server)
  await administrator.ask(calls.removeListing, { params: { carId: car._id }, body: { reason: 'squatter' } })
  const [row] = await server.query('select removed_because from cars where id = $1', [car._id])
  expect(row).toEqual({ removed_because: 'squatter' })
})

test('returns 404 for a deletion or a withdrawal in another person’s name', async () => {
  const sale = await aSaleAt(server, 'requested')
  const { seller, buyer, car } = sale
  for (const [person, userType, userId] of [
    [seller, 'SELLER', buyer.id],
    [buyer, 'BUYER', seller.id],
  ] as const)
    expect((await person.send(calls.deleteCar, { params: { userType, userId, vin: car.vin } })).status).toBe(
      404,
    )
  expect((await readProgressOf(sale)).status).toBe('PENDING')
})
