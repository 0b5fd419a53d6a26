import { cents } from '@keyturn/contract/shared/money.ts'
import { expect, test } from 'vitest'
import { aBuyer, aSeller, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { aCar, aListing } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeAt } from '../../../tests/support/trades.ts'
import { newId } from '../../platform/database/new-id.ts'
import * as store from './repository.ts'
import { deals, dealTrades } from './tables.ts'
import * as tradeStore from './trade-repository.ts'

// Which rows are meant by the queries that lock and change them: none of somebody else's, and none of what is over.

const server = await startTestServer()
const { db } = server.deps
const [seller, buyer, other] = await Promise.all([aSeller(server), aBuyer(server), aBuyer(server)])

/** A deal on a new car of the seller's, as only the database could have it. */
async function aDeal(of: TestPerson, columns: Partial<typeof deals.$inferInsert> = {}) {
  const { car } = await aListing(server, {}, seller)
  return aDealOn(car._id, of, columns)
}

async function aDealOn(carId: string, of: TestPerson, columns: Partial<typeof deals.$inferInsert> = {}) {
  const people = { sellerId: seller.id, buyerId: of.id }
  const [deal] = await db
    .insert(deals)
    .values({ id: newId(), carId, ...people, status: 'PENDING', priceCents: cents(900_000), ...columns })
    .returning()
  if (!deal) throw new Error('no deal')
  return deal
}

const carsOf = (rows: readonly { carId: string }[]) => rows.map(({ carId }) => carId).sort()
const past = new Date(Date.now() - 3_600_000)
const future = new Date(Date.now() + 3_600_000)

test('a hold is settled once it is over: on its own car, and for its own two sides', async () => {
  const due = await aDeal(buyer, { status: 'ACCEPTED', exclusiveUntil: past })
  const running = await aDeal(buyer, { status: 'ACCEPTED', exclusiveUntil: future })
  const others = await aDeal(other, { status: 'ACCEPTED', exclusiveUntil: past })
  expect(carsOf(await store.findCarsDue(db, { limit: 100 }))).toEqual(carsOf([due, others]))
  expect(carsOf(await store.findCarsDueOf(db, { personId: buyer.id }))).toEqual([due.carId])
  expect(carsOf(await store.findCarsDueOf(db, { personId: seller.id }))).toEqual(carsOf([due, others]))
  expect(await store.lockEndedHolds(db, { carId: due.carId })).toEqual([{ id: due.id }])
  expect(await store.lockEndedHolds(db, { carId: running.carId })).toEqual([])
})

test('who leaves holds up only the cars that they sell, or have a deal on', async () => {
  const person = await aBuyer(server)
  const own = await aCar(person)
  const bought = await aDeal(person)
  await aDeal(person, { withdrawnAt: past })
  await aDeal(other)
  const gone = await aCar(person)
  await server.query('update cars set deleted_at = now() where id = $1', [gone._id])
  expect(carsOf(await store.lockCarsOfPerson(db, { personId: person.id }))).toEqual(
    [own._id, bought.carId].sort(),
  )
})

test('a buyer’s own deal by the car’s VIN is neither another buyer’s nor one that they gave up', async () => {
  const { car: sold } = await aListing(server, {}, seller)
  const [dealer] = await server.query<{ id: string }>('select dealer_for(null) as id')
  const completed = {
    status: 'COMPLETED',
    passedAt: past,
    packageId: newId(),
    completedAt: past,
    dealerId: dealer?.id ?? '',
  } as const
  await aDealOn(sold._id, buyer, completed)
  await server.query('update cars set completed_at = now() where id = $1', [sold._id])
  const again = await aCar(seller, { vin: sold.vin })
  await aDealOn(again._id, buyer, { withdrawnAt: past })
  await aDealOn(again._id, other)
  expect(await store.findOwnDeal(db, { buyerId: buyer.id, vin: sold.vin })).toEqual([{ carId: sold._id }])
})

test('a trade that goes locks the cars whose requests hold or have checked it, and is unchecked there alone', async () => {
  const wholesaler = await aWholesaler(server)
  const { _id: tradeId, vin } = await aTradeAt('ACCEPTED', { owner: buyer, wholesaler })
  const held = await aDeal(buyer)
  await db.insert(dealTrades).values({ dealId: held.id, tradeId })
  const checked = await aDeal(buyer, { chosenTradeVins: ['ANOTHER', vin] })
  const unconcerned = [
    await aDeal(buyer, { chosenTradeVins: ['ANOTHER'] }),
    await aDeal(other, { chosenTradeVins: [vin] }),
    await aDeal(buyer, { chosenTradeVins: [vin], withdrawnAt: past }),
  ]
  const which = { tradeId, ownerId: buyer.id }
  expect(carsOf(await tradeStore.lockCarsOfTrade(db, which))).toEqual(carsOf([held, checked]))
  await tradeStore.uncheckTrade(db, which)
  const after = new Map((await db.select().from(deals)).map((deal) => [deal.id, deal]))
  expect(after.get(checked.id)?.chosenTradeVins).toEqual(['ANOTHER'])
  for (const deal of unconcerned) expect(after.get(deal.id)).toEqual(deal)
})

// R-trades-13
test('a promised trade is one of those asked for, one’s own, and in another request than this', async () => {
  const wholesaler = await aWholesaler(server)
  const [here, elsewhere, others] = [await aDeal(buyer), await aDeal(buyer), await aDeal(other)]
  const hold = async (deal: { id: string }, owner: TestPerson, wishes?: Record<string, unknown>) => {
    const trade = await aTradeAt('ACCEPTED', { owner, wholesaler }, wishes)
    await db.insert(dealTrades).values({ dealId: deal.id, tradeId: trade._id })
    return trade
  }
  const [mine, promised] = [await hold(here, buyer), await hold(elsewhere, buyer, { carModel: 'Ranger' })]
  const theirs = await hold(others, other)
  const find = (...vins: string[]) =>
    tradeStore.findPromisedTrade(db, { buyerId: buyer.id, vins, dealId: here.id })
  for (const vin of [mine.vin, theirs.vin, 'ANOTHER']) expect(await find(vin)).toEqual([])
  expect(await find(mine.vin, promised.vin)).toMatchObject([{ trade: { model: 'Ranger' } }])
})
