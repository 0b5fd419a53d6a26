import type { EventTrade } from '@keyturn/contract/deals/events.ts'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { cars } from '../cars/tables.ts'
import { prepared } from '../db/open.ts'
import { trades } from '../trades/tables.ts'
import { notWithdrawn } from './states.ts'
import { deals, dealTrades } from './tables.ts'

// The trades that a request holds.

const p = sql.placeholder
const nextVersion = sql`nextval('row_versions')`

export const freeTrades = prepared<{ dealId: string }, unknown>('free-trades', (db) =>
  db.delete(dealTrades).where(eq(dealTrades.dealId, p('dealId'))),
)

export const attachTrade = prepared<{ dealId: string; tradeId: string }, unknown>('attach-trade', (db) =>
  db.insert(dealTrades).values({ dealId: p('dealId'), tradeId: p('tradeId') }),
)

export const detachTrade = prepared<{ tradeId: string }, unknown>('detach-trade', (db) =>
  db.delete(dealTrades).where(eq(dealTrades.tradeId, p('tradeId'))),
)

const isChecked = sql`(select vin from trades where id = ${p('tradeId')}) = any(${deals.chosenTradeVins})`

/** Every car on which a deal of the owner holds or has checked a trade, locked in the one order of cars. */
export const lockCarsOfTrade = prepared<{ tradeId: string; ownerId: string }, { carId: string }[]>(
  'lock-cars-of-trade',
  (db) =>
    db
      .select({ carId: cars.id })
      .from(cars)
      .where(
        sql`exists (select 1 from ${deals} where ${deals.carId} = ${cars.id} and ${deals.buyerId} = ${p('ownerId')} and ${notWithdrawn}
          and (${isChecked} or exists (select 1 from ${dealTrades} where ${dealTrades.dealId} = ${deals.id} and ${dealTrades.tradeId} = ${p('tradeId')})))`,
      )
      .orderBy(asc(cars.id))
      .for('update'),
)

/** A trade that is gone is checked nowhere any more. The caller holds the locks of the cars. */
export const uncheckTrade = prepared<{ tradeId: string; ownerId: string }, unknown>('uncheck-trade', (db) =>
  db
    .update(deals)
    .set({
      chosenTradeVins: sql`array_remove(${deals.chosenTradeVins}, (select vin from trades where id = ${p('tradeId')}))`,
      version: nextVersion,
    })
    .where(and(eq(deals.buyerId, p('ownerId')), notWithdrawn, isChecked)),
)

/** The deal that a trade is in, with its car: to lock in order before the trade itself. */
export const findDealOfTrade = prepared<{ tradeId: string }, { dealId: string; carId: string }[]>(
  'deal-of-trade',
  (db) =>
    db
      .select({ dealId: deals.id, carId: deals.carId })
      .from(dealTrades)
      .innerJoin(deals, eq(deals.id, dealTrades.dealId))
      .where(eq(dealTrades.tradeId, p('tradeId'))),
)

/** Which trades each deal on a car holds. */
export const findTradesOnCar = prepared<{ carId: string }, { dealId: string; tradeId: string }[]>(
  'trades-on-car',
  (db) =>
    db
      .select({ dealId: dealTrades.dealId, tradeId: dealTrades.tradeId })
      .from(dealTrades)
      .innerJoin(deals, eq(deals.id, dealTrades.dealId))
      .innerJoin(trades, eq(trades.id, dealTrades.tradeId))
      .where(eq(deals.carId, p('carId')))
      .orderBy(asc(trades.createdAt)),
)

type NameParts = { year: number; make: string; model: string; trim: string }

export const findTradesOfDeal = prepared<{ dealId: string }, EventTrade[]>('trades-of-deal', (db) =>
  db
    .select({
      _id: trades.id,
      vin: trades.vin,
      year: trades.year,
      make: trades.make,
      carModel: trades.model,
      trim: trades.trim,
    })
    .from(dealTrades)
    .innerJoin(trades, eq(trades.id, dealTrades.tradeId))
    .where(eq(dealTrades.dealId, p('dealId')))
    .orderBy(asc(trades.createdAt)),
)

/** Of these trades of a buyer one that another deal of theirs holds, and the car which that deal is about. */
export const findPromisedTrade = prepared<
  { buyerId: string; vins: string[]; dealId: string },
  { trade: NameParts; car: NameParts }[]
>('promised-trade', (db) =>
  db
    .select({ trade: nameParts(trades), car: nameParts(cars) })
    .from(trades)
    .innerJoin(dealTrades, eq(dealTrades.tradeId, trades.id))
    .innerJoin(deals, eq(deals.id, dealTrades.dealId))
    .innerJoin(cars, eq(cars.id, deals.carId))
    .where(
      and(
        eq(trades.ownerId, p('buyerId')),
        eq(deals.buyerId, p('buyerId')),
        isNull(trades.deletedAt),
        sql`${trades.vin} = any(${p('vins')}::text[])`,
        sql`${deals.id} <> ${p('dealId')}`,
      ),
    )
    .orderBy(asc(trades.createdAt))
    .limit(1),
)

const nameParts = <T extends typeof trades | typeof cars>({ year, make, model, trim }: T) => ({
  year,
  make,
  model,
  trim,
})
