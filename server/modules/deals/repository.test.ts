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

// Queries that lock and change rows select no other person's rows and no ended ones.

const server = await startTestServer()
const { db } = server.deps
const [seller, buyer, other] = await Promise.all([aSeller(server), aBuyer(server), aBuyer(server)])

/** Inserts a deal on a new car of the seller, bypassing all rules. */
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

const carIdsOf = (rows: readonly { carId: string }[]) => rows.map(({ carId }) => carId).sort()
const past = new Date(Date.now() - 3_600_000)
const future = new Date(Date.now() + 3_600_000)

test('finds the ended holds of a car, and those of either party', async () => {
  const due = await aDeal(buyer, { status: 'ACCEPTED', exclusiveUntil: past })
  const running = await aDeal(buyer, { status: 'ACCEPTED', exclusiveUntil: future })
  const foreign = await aDeal(other, { status: 'ACCEPTED', exclusiveUntil: past })
  expect(carIdsOf(await store.findCarsWithEndedHold(db, { limit: 100 }))).toEqual(carIdsOf([due, foreign]))
  expect(carIdsOf(await store.findCarsWithEndedHoldOf(db, { personId: buyer.id }))).toEqual([due.carId])
  expect(carIdsOf(await store.findCarsWithEndedHoldOf(db, { personId: seller.id }))).toEqual(
    carIdsOf([due, foreign]),
  )
  expect(await store.lockEndedHolds(db, { carId: due.carId })).toEqual([{ id: due.id }])
  expect(await store.lockEndedHolds(db, { carId: running.carId })).toEqual([])
})

test('locks only the cars that a person sells or has an active deal for', async () => {
  const person = await aBuyer(server)
  const own = await aCar(person)
  const bought = await aDeal(person)
  await aDeal(person, { withdrawnAt: past })
  await aDeal(other)
  const deleted = await aCar(person)
  await server.query('update cars set deleted_at = now() where id = $1', [deleted._id])
  expect(carIdsOf(await store.lockCarsOfPerson(db, { personId: person.id }))).toEqual(
    [own._id, bought.carId].sort(),
  )
})

test('finds a buyer’s deal by VIN, not a withdrawn one or another buyer’s', async () => {
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
  expect(await store.findCarOfOwnDeal(db, { buyerId: buyer.id, vin: sold.vin })).toEqual([
    { carId: sold._id },
  ])
})

test('locks the cars whose requests include or select a trade, and deselects it only there', async () => {
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
  expect(carIdsOf(await tradeStore.lockCarsOfTrade(db, which))).toEqual(carIdsOf([held, checked]))
  await tradeStore.deselectTrade(db, which)
  const after = new Map((await db.select().from(deals)).map((deal) => [deal.id, deal]))
  expect(after.get(checked.id)?.chosenTradeVins).toEqual(['ANOTHER'])
  for (const deal of unconcerned) expect(after.get(deal.id)).toEqual(deal)
})

// R-trades-13
test('finds a requested trade that is in another request by the same buyer', async () => {
  const wholesaler = await aWholesaler(server)
  const [current, another, foreign] = [await aDeal(buyer), await aDeal(buyer), await aDeal(other)]
  const includeTrade = async (deal: { id: string }, owner: TestPerson, wishes?: Record<string, unknown>) => {
    const trade = await aTradeAt('ACCEPTED', { owner, wholesaler }, wishes)
    await db.insert(dealTrades).values({ dealId: deal.id, tradeId: trade._id })
    return trade
  }
  const included = await includeTrade(current, buyer)
  const promised = await includeTrade(another, buyer, { carModel: 'Ranger' })
  const theirs = await includeTrade(foreign, other)
  const find = (...vins: string[]) =>
    tradeStore.findReservedTrade(db, { buyerId: buyer.id, vins, dealId: current.id })
  for (const vin of [included.vin, theirs.vin, 'ANOTHER']) expect(await find(vin)).toEqual([])
  expect(await find(included.vin, promised.vin)).toMatchObject([{ trade: { model: 'Ranger' } }])
})
