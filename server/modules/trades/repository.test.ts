import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import { aBuyer, anAdministrator, aWholesaler } from '../../../tests/support/people.ts'
import { aSaleAt, aVin } from '../../../tests/support/sales/deals.ts'
import { suspend } from '../../../tests/support/sales/suspensions.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { newId } from '../../platform/database/new-id.ts'
import { findWholesalersToNotify } from '../notifications/recipients.ts'
import { expireOffers } from './expire-offers.ts'
import { listAvailableTrades, listTradesByIds } from './read-trades.ts'
import * as store from './repository.ts'
import { findDueOffer } from './trade-events.ts'
import { withdrawOffers } from './withdraw-offers.ts'

// Each query must select and change the right rows, among rows that differ in one property.

const server = await startTestServer()
const { db } = server.deps
const [sale, stranger, wholesaler, another] = await Promise.all([
  aSaleAt(server, 'requested'),
  aBuyer(server),
  aWholesaler(server),
  aWholesaler(server),
])
const owner = sale.buyer

type Wishes = {
  by?: string
  vin?: string
  status?: TradeStatus
  offeredBy?: string
  /** The end of the offer, relative to now. */
  over?: string
  /** Its offer has ended. */
  ended?: boolean
  told?: 'REMINDED' | 'ENDED'
  deleted?: boolean
}

/** Creates a trade directly in a given state. */
async function put(wishes: Wishes = {}): Promise<string> {
  const { by = owner.id, vin = aVin(), over, ended = false, told, deleted = false, offeredBy } = wishes
  const status = wishes.status ?? (over === undefined ? 'PENDING' : 'OFFERED')
  const id = newId()
  await server.query(
    `insert into trades (id, owner_id, vin, make, model, year, trim, mileage, color, zip_code, payoff, message, status,
       price_cents, tax_credit_cents, offered_by, offer_expires_at, expired_at, expired_price_cents, offer_told, deleted_at)
     select $1, $2, $3, 'Ford', 'F-150', 2013, 'XLT', 91000, 'Blue', '48201', false, 'my words', $4,
       price, price, $5, keyturn_now() + $6::interval,
       case when $7 then keyturn_now() end, case when $7 then 100 end, $8, case when $9 then keyturn_now() end
     from (select case when $4 <> 'PENDING' then 100 end as price) as given`,
    [id, by, vin, status, offeredBy ?? null, over ?? null, ended, told ?? null, deleted],
  )
  return id
}

const stateOf = async (id: string) =>
  (await server.query('select status, message, version from trades where id = $1', [id]))[0]
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort()

test('finds a trade for its owner and for readers of all trades, unless deleted', async () => {
  const [id, gone] = [await put(), await put({ deleted: true })]
  for (const find of [store.findTrade, store.lockTrade])
    for (const ownerId of [owner.id, stranger.id, null]) {
      const found = [await find(db, { id, ownerId }), await find(db, { id: gone, ownerId })]
      expect(found.map((rows) => rows.length)).toEqual([ownerId === stranger.id ? 0 : 1, 0])
    }
})

test('reports an offer as expired from the moment it ends, and never other states', async () => {
  const isOver = async (wishes: Wishes) => {
    const [locked] = await store.lockTrade(db, { id: await put(wishes), ownerId: null })
    return locked?.isOfferOver
  }
  expect(await isOver({ over: '0 seconds' })).toBe(true)
  expect(await isOver({ over: '1 minute' })).toBe(false)
  expect(await isOver({ status: 'OFFER' })).toBe(false)
})

test('finds a person’s own trades by VIN and in the list, without deleted ones', async () => {
  const [one, other] = [await aBuyer(server), await aBuyer(server)]
  const vin = aVin()
  const own = await put({ by: one.id, vin })
  const foreign = await put({ by: other.id, vin })
  const gone = aVin()
  await put({ by: one.id, vin: gone, deleted: true })
  const byVin = (ownerId: string, of: string) => store.findTradeOfOwner(db, { ownerId, vin: of })
  expect(await byVin(one.id, vin)).toEqual([{ id: own }])
  expect(await byVin(other.id, vin)).toEqual([{ id: foreign }])
  expect(await byVin(one.id, gone)).toEqual([])
  const list = await store.findTradesOfUser(db, { ownerId: one.id, wholesalerId: null })
  expect(list.map(({ trade }) => trade.id)).toEqual([own])
})

const attach = (tradeId: string, { car }: { car: { _id: string } }) =>
  server.query('insert into deal_trades select $1, id from deals where car_id = $2', [tradeId, car._id])

// R-trades-32
test('finds accepted trades that are free or in the deal for this car', async () => {
  const elsewhere = await aSaleAt(server, 'requested', {}, { buyer: owner })
  const accepted = () => put({ status: 'ACCEPTED' })
  const [free, here, there] = [await accepted(), await accepted(), await accepted()]
  await attach(here, sale)
  await attach(there, elsewhere)
  await put({ status: 'OFFER' })
  await put({ status: 'ACCEPTED', deleted: true })
  await put({ status: 'ACCEPTED', by: stranger.id })
  await put({ status: 'ACCEPTED', vin: sale.car.vin })
  const available = await listAvailableTrades(db, owner.id, sale.car.vin)
  expect(available.map(({ _id }) => _id).sort()).toEqual([free, here].sort())
  expect(await store.countAttachedTrades(db, { ids: [free, here] })).toEqual([{ attached: 1 }])
  expect(await store.countAttachedTrades(db, { ids: [free] })).toEqual([{ attached: 0 }])
})

test('reads the named trades, including deleted ones', async () => {
  const [one, gone] = [await put(), await put({ deleted: true })]
  expect(idsOf(await store.findTradesByIds(db, { ids: [one, gone] }))).toEqual([one, gone].sort())
  expect((await listTradesByIds(db, [gone])).map(({ _id }) => _id)).toEqual([gone])
})

test('locks the trades of a request that are the buyer’s own, accepted and not deleted', async () => {
  const [accepted, countered, gone] = [aVin(), aVin(), aVin()]
  const wanted = await put({ status: 'ACCEPTED', vin: accepted })
  await put({ status: 'ACCEPTED', vin: accepted, by: stranger.id })
  await put({ status: 'OFFER', vin: countered })
  await put({ status: 'ACCEPTED', vin: gone, deleted: true })
  await put({ status: 'ACCEPTED' })
  const locked = await store.lockAcceptedTrades(db, { ownerId: owner.id, vins: [accepted, countered, gone] })
  expect(idsOf(locked)).toEqual([wanted])
})

test('deletes a person’s trades and messages, but nobody else’s', async () => {
  const goes = await aBuyer(server)
  const [own, earlier] = [await put({ by: goes.id }), await put({ by: goes.id, deleted: true })]
  const foreign = await put({ by: stranger.id })
  const before = await stateOf(foreign)
  expect(idsOf(await store.markTradesDeleted(db, { ownerId: goes.id }))).toEqual([own])
  await store.eraseTradeTexts(db, { ownerId: goes.id })
  for (const id of [own, earlier]) expect(await stateOf(id)).toMatchObject({ message: '' })
  expect(await stateOf(foreign)).toEqual(before)
})

test('withdraws only the active offers of a wholesaler who leaves', async () => {
  const standing = await put({ over: '1 day', offeredBy: wholesaler.id })
  const untouched = [
    await put({ over: '1 day', offeredBy: another.id }),
    await put({ status: 'OFFER', offeredBy: wholesaler.id }),
    await put({ over: '1 day', offeredBy: wholesaler.id, deleted: true }),
  ]
  const before = await Promise.all(untouched.map(stateOf))
  const actor = { id: wholesaler.id, sessionId: newId(), userType: 'WHOLESALER' } as const
  await withdrawOffers(db, { ...actor, verified: true, wholesaler: true })
  expect(await stateOf(standing)).toMatchObject({ status: 'PENDING' })
  expect(await Promise.all(untouched.map(stateOf))).toEqual(before)
})

// R-trades-6
test('reminds the owner once on the last day, and not before, after or for deleted trades', async () => {
  const remind = async (id: string) => (await store.markOfferReminded(db, { id, withinMs: 3_600_000 })).length
  const soon = await put({ over: '50 minutes' })
  expect([await remind(soon), await remind(soon)]).toEqual([1, 0])
  expect(await remind(await put({ over: '70 minutes' }))).toBe(0)
  expect(await remind(await put({ over: '0 seconds' }))).toBe(0)
  expect(await remind(await put({ over: '50 minutes', deleted: true }))).toBe(0)
})

// R-trades-6
test('marks the end of an offer once, and nothing if none ended or the trade is deleted', async () => {
  const untold = [await put({ ended: true }), await put({ ended: true, told: 'REMINDED' })]
  const others = [
    await put(),
    await put({ over: '1 day' }),
    await put({ ended: true, told: 'ENDED' }),
    await put({ ended: true, deleted: true }),
  ]
  const all = [...untold, ...others]
  const found = idsOf(await store.findEndedOffersToNotify(db, { limit: 1000 }))
  expect(found.filter((id) => all.includes(id))).toEqual(untold.sort())
  for (const id of all)
    expect(await store.markOfferEndNotified(db, { id })).toHaveLength(untold.includes(id) ? 1 : 0)
  for (const id of all) expect(await store.markOfferEndNotified(db, { id })).toEqual([])
})

// R-trades-6
test('expires only offers that have ended, and finds nothing due otherwise', async () => {
  await expireOffers(db)
  const over = await put({ over: '0 seconds' })
  const left = [await put({ over: '1 minute' }), await put({ over: '0 seconds', deleted: true })]
  const before = await Promise.all(left.map(stateOf))
  expect(await findDueOffer(db, {})).toHaveLength(1)
  expect(await expireOffers(db)).toBe(1)
  expect(await stateOf(over)).toMatchObject({ status: 'PENDING' })
  expect(await Promise.all(left.map(stateOf))).toEqual(before)
  expect(await findDueOffer(db, {})).toEqual([])
})

test('finds the wholesalers to notify of a new trade: approved, verified, and neither suspended nor deleted', async () => {
  for (const [person, change] of [
    [await aWholesaler(server), 'approved_at = null'],
    [await aWholesaler(server), 'verified_at = null'],
    [await aWholesaler(server), 'deleted_at = keyturn_now()'],
    [await aBuyer(server), 'approved_at = keyturn_now()'],
  ] as const)
    await server.query(`update users set ${change} where id = $1`, [person.id])
  await suspend(await anAdministrator(server), await aWholesaler(server))
  const heard = await findWholesalersToNotify(db, { limit: 100 })
  expect(idsOf(heard)).toEqual([wholesaler.id, another.id].sort())
})
