import { and, asc, eq, sql } from 'drizzle-orm'
import { nextVersion, pickColumns } from '../../platform/database/columns.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import { cars } from '../cars/tables.ts'
import { trades } from '../trades/tables.ts'
import { isNotWithdrawn } from './state-sql.ts'
import { deals, dealTrades } from './tables.ts'

export const deleteDealTrades = prepareQuery(
  'delete-deal-trades',
  (db, p: Placeholders<{ dealId: string }>) => db.delete(dealTrades).where(eq(dealTrades.dealId, p.dealId)),
)

export const insertDealTrade = prepareQuery(
  'insert-deal-trade',
  (db, p: Placeholders<{ dealId: string; tradeId: string }>) =>
    db.insert(dealTrades).values({ dealId: p.dealId, tradeId: p.tradeId }),
)

export const deleteDealTrade = prepareQuery('delete-deal-trade', (db, p: Placeholders<{ tradeId: string }>) =>
  db.delete(dealTrades).where(eq(dealTrades.tradeId, p.tradeId)),
)

const vinOf = ({ tradeId }: Placeholders<{ tradeId: string }>) =>
  sql`(select ${trades.vin} from ${trades} where ${trades.id} = ${tradeId})`
const isSelected = (p: Placeholders<{ tradeId: string }>) => sql`${vinOf(p)} = any(${deals.chosenTradeVins})`

/** Locks every car whose deal with the owner contains or has selected a trade, in id order. */
export const lockCarsOfTrade = prepareQuery(
  'lock-cars-of-trade',
  (db, p: Placeholders<{ tradeId: string; ownerId: string }>) =>
    db
      .select({ carId: cars.id })
      .from(cars)
      .where(
        sql`exists (select 1 from ${deals} where ${deals.carId} = ${cars.id} and ${deals.buyerId} = ${p.ownerId} and ${isNotWithdrawn}
          and (${isSelected(p)} or exists (select 1 from ${dealTrades} where ${dealTrades.dealId} = ${deals.id} and ${dealTrades.tradeId} = ${p.tradeId})))`,
      )
      .orderBy(asc(cars.id))
      .for('update'),
)

/** Deselects a deleted trade in all deals of its owner. The caller holds the locks of the cars. */
export const deselectTrade = prepareQuery(
  'deselect-trade',
  (db, p: Placeholders<{ tradeId: string; ownerId: string }>) =>
    db
      .update(deals)
      .set({
        chosenTradeVins: sql`array_remove(${deals.chosenTradeVins}, ${vinOf(p)})`,
        version: nextVersion,
      })
      .where(and(eq(deals.buyerId, p.ownerId), isNotWithdrawn, isSelected(p))),
)

/** Finds the deal and car of a trade, which are locked before the trade itself. */
export const findDealOfTrade = prepareQuery(
  'find-deal-of-trade',
  (db, p: Placeholders<{ tradeId: string }>) =>
    db
      .select({ dealId: deals.id, carId: deals.carId })
      .from(dealTrades)
      .innerJoin(deals, eq(deals.id, dealTrades.dealId))
      .where(eq(dealTrades.tradeId, p.tradeId)),
)

export const findTradesOnCar = prepareQuery('find-trades-on-car', (db, p: Placeholders<{ carId: string }>) =>
  db
    .select({ dealId: dealTrades.dealId, tradeId: dealTrades.tradeId })
    .from(dealTrades)
    .innerJoin(deals, eq(deals.id, dealTrades.dealId))
    .innerJoin(trades, eq(trades.id, dealTrades.tradeId))
    .where(eq(deals.carId, p.carId))
    .orderBy(asc(trades.createdAt)),
)

export const findTradesOfDeal = prepareQuery(
  'find-trades-of-deal',
  (db, p: Placeholders<{ dealId: string }>) =>
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
      .where(eq(dealTrades.dealId, p.dealId))
      .orderBy(asc(trades.createdAt)),
)

/** Finds one of these trades that another deal of the buyer reserves, and that deal's car. */
export const findReservedTrade = prepareQuery(
  'find-reserved-trade',
  (db, p: Placeholders<{ buyerId: string; vins: string[]; dealId: string }>) =>
    db
      .select({ trade: pickColumns(trades, ...nameParts), car: pickColumns(cars, ...nameParts) })
      .from(trades)
      .innerJoin(dealTrades, eq(dealTrades.tradeId, trades.id))
      .innerJoin(deals, eq(deals.id, dealTrades.dealId))
      .innerJoin(cars, eq(cars.id, deals.carId))
      .where(
        and(
          eq(trades.ownerId, p.buyerId),
          sql`${trades.vin} = any(${p.vins}::text[])`,
          sql`${deals.id} <> ${p.dealId}`,
        ),
      )
      .orderBy(asc(trades.createdAt))
      .limit(1),
)

const nameParts = ['year', 'make', 'model', 'trim'] as const
