import { setTimeout as pause } from 'node:timers/promises'
import { addCar } from '@keyturn/contract/cars/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import type { Call } from '@keyturn/contract/kit/call.ts'
import { addTrade, moveTrade } from '@keyturn/contract/trades/calls.ts'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { Wire } from '../test/browser.ts'
import { aCarForm, aListing, aRequest, type Sale, step } from '../test/deals.ts'
import { rounds } from '../test/fleet/rounds.ts'
import { openHouse } from '../test/house.ts'
import { untilLockWait } from '../test/meanwhile.ts'
import { aBuyer, aWholesaler, type TestPerson } from '../test/people.ts'
import { aTrade, aTradeForm, codeOf, move } from '../test/trades.ts'

// Somebody leaves while something of theirs is on its way, through HTTP on real PostgreSQL: what they add is gone with
// them or was refused, and nothing of a deleted person lives on.

const house = await openHouse()

const leave = (person: TestPerson, userType = 'BUYER') =>
  person.send(calls.deleteUser, { params: { userType, id: person.id } })

/** What of a person others would still meet. */
const leftoversOf = async (person: TestPerson) => {
  const [counts] = await house.query<Record<string, number>>(
    `select (select count(*) from cars where seller_id = $1 and deleted_at is null)::int as cars,
      (select count(*) from trades where owner_id = $1 and deleted_at is null)::int as trades,
      (select count(*) from deals where buyer_id = $1 and withdrawn_at is null)::int as deals,
      (select count(*) from trades where offered_by = $1 and status = 'OFFERED' and deleted_at is null)::int as offers`,
    [person.id],
  )
  return counts
}
const nothing = { cars: 0, trades: 0, deals: 0, offers: 0 }

test('who leaves while their car, trade and wizard are on their way leaves none of them behind', async () => {
  const listing = await aListing(house)
  const outcomes = new Map<string, number>()
  // Goes on until the person was once gone first: on a fast machine, what is added nearly always gets there before.
  for (let round = 0; round < rounds || !outcomes.has('401'); round++) {
    const person = await aBuyer(house)
    const add = () => [
      person.send(addCar, { body: aCarForm() }),
      person.send(addTrade, { body: aTradeForm() }),
      person.send(calls.startProgress, { body: listing.at }),
    ]
    // Every other time the deletion gets a head start, a millisecond more each time, so that both come first at times.
    const isHeadStart = round % 2 === 1
    const leaving = isHeadStart ? leave(person) : null
    if (isHeadStart) await pause((round - 1) / 2)
    const added = add()
    const [left, ...others] = await Promise.all([leaving ?? leave(person), ...added])
    const done = [left, ...others]
    expect(left.status).toBe(200)
    for (const { status, body } of done) {
      expect([200, 201, 401], body).toContain(status)
      outcomes.set(String(status), (outcomes.get(String(status)) ?? 0) + 1)
    }
    expect(await leftoversOf(person), `round ${round}`).toEqual(nothing)
  }
})

test('a request that is sent while its buyer leaves is withdrawn with them or never made', async () => {
  const sale = await aListing(house)
  for (let round = 0; round < rounds; round++) {
    const buyer = await aBuyer(house)
    await buyer.ask(calls.startProgress, { body: sale.at })
    await step(buyer, sale.at, { step: [0, 1, 2, 3], hasTrade: false })
    await step(buyer, sale.at, { step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
    const request = () =>
      buyer.send(calls.requestCar, { body: { vin: sale.car.vin, price: 9000, trades: [] } })
    const [one, other] = await Promise.all(round % 2 ? [leave(buyer), request()] : [request(), leave(buyer)])
    const [left, requested] = round % 2 ? [one, other] : [other, one]
    expect(left?.status).toBe(200)
    expect([201, 401], requested?.body).toContain(requested?.status)
    expect(await leftoversOf(buyer), `round ${round}`).toEqual(nothing)
    expect(await sale.seller.ask(calls.requestsOnCar, { params: { carId: sale.car._id } })).toEqual([])
  }
})

// R-everywhere-20
test('a seller and a buyer of theirs who leave and act at once never wait for each other in a circle', async () => {
  for (let round = 0; round < rounds; round++) {
    const [seller, buyer] = [await aBuyer(house), await aBuyer(house)]
    const sale = { ...(await aListing(house, {}, seller)), buyer }
    await aRequest(sale, buyer, 9000)
    const sent = await Promise.all([
      leave(seller),
      leave(buyer),
      buyer.send(calls.decideBuyer, { body: { ...sale.at, price: 9100, status: 'PENDING' } }),
      seller.send(calls.updatePrice, { params: { carId: sale.car._id }, body: { newPrice: 9200 } }),
    ])
    for (const { status, body } of sent) expect(status, body).toBeLessThan(500)
    expect(sent.slice(0, 2).map(({ status }) => status)).toEqual([200, 200])
    expect([await leftoversOf(seller), await leftoversOf(buyer)]).toEqual([nothing, nothing])
  }
})

test('an offer that a wholesaler makes while leaving is taken back with them or never made', async () => {
  const owner = await aBuyer(house)
  for (let round = 0; round < rounds; round++) {
    const [wholesaler, trade] = [await aWholesaler(house), await aTrade(owner)]
    const offer = () => move(wholesaler, trade, { status: 'OFFERED', price: 20_000 })
    const sent = await Promise.all(
      round % 2 ? [leave(wholesaler, 'WHOLESALER'), offer()] : [offer(), leave(wholesaler, 'WHOLESALER')],
    )
    const [left, offered] = round % 2 ? sent : sent.reverse()
    expect(left?.status).toBe(200)
    expect([200, 401], offered?.body).toContain(offered?.status)
    expect(await leftoversOf(wholesaler), `round ${round}`).toEqual(nothing)
  }
})

test('an owner whose wholesaler left reads that the offer is over, and others may make one', async () => {
  const [owner, wholesaler, other] = [await aBuyer(house), await aWholesaler(house), await aWholesaler(house)]
  const trade = await aTrade(owner)
  await move(wholesaler, trade, { status: 'OFFERED', price: 20_000 })
  await leave(wholesaler, 'WHOLESALER')
  const late = await move(owner, trade, { status: 'ACCEPTED' })
  expect([late.status, late.refusal.errorCode]).toEqual([409, 'OfferExpired'])
  expect((await move(other, trade, { status: 'OFFERED', price: 19_000 })).status).toBe(200)
  expect((await move(owner, trade, { status: 'ACCEPTED' })).status).toBe(200)
})

// One at a time: the person is held by a deletion that is not through yet, the call waits for it, and sees what it did.

const client = new pg.Client({ connectionString: house.databaseUrl })
await client.connect()
afterAll(() => client.end())

async function duringDeletionOf(person: TestPerson, call: Call, input: Wire) {
  await client.query('begin')
  await client.query('select 1 from users where id = $1 for no key update', [person.id])
  const sent = person.send(call, input)
  await Promise.race([sent, untilLockWait(house)])
  await client.query('update users set email = null, deleted_at = keyturn_now() where id = $1', [person.id])
  await client.query('commit')
  return codeOf(sent)
}

const gone = [401, 'InvalidAccessToken']

test('a car is not listed for a person who is just being deleted', async () => {
  expect(await duringDeletionOf(await aBuyer(house), addCar, { body: aCarForm() })).toEqual(gone)
})

test('a trade is not added for a person who is just being deleted', async () => {
  expect(await duringDeletionOf(await aBuyer(house), addTrade, { body: aTradeForm() })).toEqual(gone)
})

test('a wizard is not begun for a person who is just being deleted', async () => {
  const { at }: Pick<Sale, 'at'> = await aListing(house)
  expect(await duringDeletionOf(await aBuyer(house), calls.startProgress, { body: at })).toEqual(gone)
})

test('a request is not sent for a person who is just being deleted', async () => {
  const [sale, buyer] = [await aListing(house), await aBuyer(house)]
  await buyer.ask(calls.startProgress, { body: sale.at })
  await step(buyer, sale.at, { step: [0, 1, 2, 3], hasTrade: false })
  await step(buyer, sale.at, { step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  const body = { vin: sale.car.vin, price: 9000, trades: [] }
  expect(await duringDeletionOf(buyer, calls.requestCar, { body })).toEqual(gone)
})

test('an offer is not made for a wholesaler who is just being deleted', async () => {
  const [wholesaler, trade] = [await aWholesaler(house), await aTrade(await aBuyer(house))]
  const input = { params: { tradeId: trade._id }, body: { status: 'OFFERED', price: 20_000 } }
  expect(await duringDeletionOf(wholesaler, moveTrade, input)).toEqual(gone)
})
