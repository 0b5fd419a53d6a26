import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { and, asc, type Column, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { nextVersion, now, pickColumns } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../platform/database/prepare-query.ts'
import type { PictureUse } from '../../platform/storage/sweep-pictures.ts'
import { users } from '../accounts/tables.ts'
import { bodyClassSql, cars } from '../cars/tables.ts'
import { deals, dealTrades } from '../deals/tables.ts'
import { type NewTrade, type TradeRow, tradeEvents, trades } from './tables.ts'
import { isRecentWithdrawal } from './trade-events.ts'

const notDeleted = isNull(trades.deletedAt)

/** The owner's trade, or any if `ownerId` is null; a stranger's trade looks like a missing one. */
const isVisible = ({ ownerId }: Placeholders<Which>) =>
  sql`(${ownerId}::char(24) is null or ${trades.ownerId} = ${ownerId}::char(24))`
type Which = { id: string; ownerId: string | null }

/** An offer older than seven days, by the database's clock. */
const isOver = sql<boolean>`coalesce(${trades.offerExpiresAt} <= ${now}, false)`

export const ownerColumns = {
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  phoneNumber: users.phoneNumber,
}

type Columns = Record<'id' | 'ownerId' | 'offeredBy' | 'vin' | 'priceCents', Column>

/** Facts about a trade that its row does not contain, and the time when they are read. */
export const derivedFacts = (trade: Columns) => {
  // Wrapped, because drizzle drops the table's name from columns in selections of a single table.
  const { id, ownerId, offeredBy, vin, priceCents } = {
    id: sql`${trade.id}`,
    ownerId: sql`${trade.ownerId}`,
    offeredBy: sql`${trade.offeredBy}`,
    vin: sql`${trade.vin}`,
    priceCents: sql`${trade.priceCents}`,
  }
  return {
    now,
    /** The offer that the owner has countered with the current price; null if that is an offer. */
    counteredCents: sql<number | null>`(
      select case when max(version) filter (where event = 'counter') > max(version) filter (where event = 'offer')
        then (max(array[version, price_cents]) filter (where event = 'offer'))[2] end
      from (select event, version, price_cents from ${tradeEvents}
            where trade_id = ${id} and event in ('offer', 'counter') and ${priceCents} is not null) amounts)`,
    /** Wholesalers who cannot withdraw another offer for this trade now. */
    recentWithdrawers: sql<string[]>`array(
      select actor_id::text from ${tradeEvents} where trade_id = ${id} and ${isRecentWithdrawal})`,
    /** The account of its owner, or of the offering wholesaler, is suspended (R-accounts-64). */
    isPaused: sql<boolean>`exists (
      select from ${users} party where party.id in (${ownerId}, ${offeredBy}) and party.suspended_at is not null)`,
    isVinShared: sql<boolean>`exists (
      select from ${trades} other
      where other.vin = ${vin} and other.owner_id <> ${ownerId} and other.deleted_at is null)`,
  }
}

export const findTrade = prepareQuery('find-trade', (db, p: Placeholders<Which>) =>
  db
    .select({ trade: trades, buyer: ownerColumns, ...derivedFacts(trades) })
    .from(trades)
    .innerJoin(users, eq(users.id, trades.ownerId))
    .where(and(eq(trades.id, p.id), isVisible(p), notDeleted)),
)

export type TradeWithBuyer = RowOf<typeof findTrade>

export const findTradeOfOwner = prepareQuery(
  'find-trade-of-owner',
  (db, p: Placeholders<{ ownerId: string; vin: string }>) =>
    db
      .select({ id: trades.id })
      .from(trades)
      .where(and(eq(trades.ownerId, p.ownerId), eq(trades.vin, p.vin), notDeleted)),
)

/**
 * A wholesaler does not see the trades of suspended owners, except those with their own offer
 * (R-accounts-63). `wholesalerId` is null for everybody else.
 */
export const isListedFor = (trade: Record<'ownerId' | 'offeredBy', Column>, wholesalerId: unknown) =>
  sql`(${wholesalerId}::char(24) is null or ${sql`${trade.offeredBy}`} = ${wholesalerId}::char(24)
    or not is_suspended(${sql`${trade.ownerId}`}))`

export const findTradesOfUser = prepareQuery(
  'find-trades-of-user',
  (db, p: Placeholders<{ ownerId: string; wholesalerId: string | null }>) =>
    db
      .select({
        trade: trades,
        buyer: ownerColumns,
        ...derivedFacts(trades),
        dealStatus: deals.status,
        passedAt: deals.passedAt,
        car: pickColumns(cars, 'sellerId', 'vin', 'year', 'make', 'model', 'trim'),
      })
      .from(trades)
      .innerJoin(users, eq(users.id, trades.ownerId))
      // The only deal that can contain it.
      .leftJoin(dealTrades, eq(dealTrades.tradeId, trades.id))
      .leftJoin(deals, eq(deals.id, dealTrades.dealId))
      .leftJoin(cars, eq(cars.id, deals.carId))
      .where(and(eq(trades.ownerId, p.ownerId), notDeleted, isListedFor(trades, p.wholesalerId)))
      .orderBy(desc(trades.createdAt), desc(trades.id)),
)

export type OwnedTrade = RowOf<typeof findTradesOfUser>

/**
 * Finds accepted trades that are in no open deal, apart from the deal on the car with `vin`, and
 * that are not that car itself (R-trades-32). Only the owner's deals can hold these trades.
 */
export const findAvailableTrades = prepareQuery(
  'find-available-trades',
  (db, p: Placeholders<{ ownerId: string; vin: string | null }>) =>
    db
      .select()
      .from(trades)
      .where(
        and(
          eq(trades.ownerId, p.ownerId),
          eq(trades.status, 'ACCEPTED'),
          notDeleted,
          sql`${trades.vin} is distinct from ${p.vin}::text`,
          sql`not exists (
            select 1 from ${dealTrades}
            join ${deals} on ${deals.id} = ${dealTrades.dealId}
            join ${cars} on ${cars.id} = ${deals.carId}
            where ${dealTrades.tradeId} = ${trades.id}
              and (${cars.vin} = ${p.vin}::text) is not true
          )`,
        ),
      )
      // The owner most likely uses the one accepted last.
      .orderBy(desc(trades.movedAt), desc(trades.id)),
)

export const findTradesByIds = prepareQuery('find-trades-by-ids', (db, p: Placeholders<{ ids: string[] }>) =>
  db.select().from(trades).where(sql`${trades.id} = any(${p.ids}::char(24)[])`),
)

// Locks.

export const lockTrade = prepareQuery('lock-trade', (db, p: Placeholders<Which>) =>
  db
    .select({ trade: trades, ...derivedFacts(trades), isOfferOver: isOver })
    .from(trades)
    .where(and(eq(trades.id, p.id), isVisible(p), notDeleted))
    .for('update'),
)

export type LockedTrade = RowOf<typeof lockTrade>

/** Locks in the order of ids, so that two requests for the same trades cannot deadlock. */
export const lockAcceptedTrades = prepareQuery(
  'lock-accepted-trades',
  (db, p: Placeholders<{ ownerId: string; vins: string[] }>) =>
    db
      .select()
      .from(trades)
      .where(
        and(
          eq(trades.ownerId, p.ownerId),
          sql`${trades.vin} = any(${p.vins}::text[])`,
          eq(trades.status, 'ACCEPTED'),
          notDeleted,
        ),
      )
      .orderBy(asc(trades.id))
      .for('update'),
)

export const countAttachedTrades = prepareQuery(
  'count-attached-trades',
  (db, p: Placeholders<{ ids: string[] }>) =>
    db
      .select({ attached: sql<number>`count(*)::int` })
      .from(dealTrades)
      .where(sql`${dealTrades.tradeId} = any(${p.ids}::char(24)[])`),
)

export const findTradesInDeal = prepareQuery(
  'find-trades-in-deal',
  (db, p: Placeholders<{ dealId: string }>) =>
    db
      .select(getTableColumns(trades))
      .from(dealTrades)
      .innerJoin(trades, eq(trades.id, dealTrades.tradeId))
      .where(eq(dealTrades.dealId, p.dealId)),
)

// Changes. Each gives the row a new version.

export async function insertTrade(tx: Db, row: NewTrade): Promise<TradeRow> {
  const [inserted] = await tx
    .insert(trades)
    .values({ ...row, bodyClass: bodyClassSql(row.vin) })
    .returning()
  return inserted as TradeRow
}

type Changes = {
  status: TradeStatus
  priceCents: number | null
  taxCreditCents: number | null
  taxRate: string | null
  taxRateAsOf: string | null
  offeredBy: string | null
  /** The price of the offer that this move withdraws. */
  withdrawnCents: number | null
  standsMs: number
}

export const saveTradeMove = prepareQuery(
  'save-trade-move',
  (db, p: Placeholders<Changes & { id: string }>) =>
    db
      .update(trades)
      .set({
        status: sql`${p.status}`,
        priceCents: sql`${p.priceCents}`,
        taxCreditCents: sql`${p.taxCreditCents}`,
        taxRate: sql`${p.taxRate}`,
        taxRateAsOf: sql`${p.taxRateAsOf}::date`,
        offeredBy: sql`${p.offeredBy}`,
        offerExpiresAt: sql`case when ${p.status} = 'OFFERED' then ${now} + ${p.standsMs}::bigint * interval '1 millisecond' end`,
        expiredPriceCents: sql`${p.withdrawnCents}`,
        expiredAt: sql`case when ${p.withdrawnCents}::bigint is not null then ${now} end`,
        withdrawnAt: sql`case when ${p.withdrawnCents}::bigint is not null then ${now} end`,
        // The move itself notifies of a withdrawal.
        offerNotified: sql`case when ${p.withdrawnCents}::bigint is not null then 'ENDED' end`,
        movedAt: now,
        version: nextVersion,
      })
      .where(eq(trades.id, p.id))
      .returning(),
)

/** `photos` is JSON. */
export const saveTradePhotos = prepareQuery(
  'save-trade-photos',
  (db, p: Placeholders<{ id: string; photos: string }>) =>
    db
      .update(trades)
      .set({ photos: sql`${p.photos}::jsonb`, version: nextVersion })
      .where(eq(trades.id, p.id))
      .returning(),
)

type TradeLoan = { id: string; payoff: boolean; payoffAmount: number | null; lender: string }
export const saveTradeLoan = (tx: Db, { id, ...loan }: TradeLoan) =>
  tx
    .update(trades)
    .set({ ...loan, version: nextVersion })
    .where(eq(trades.id, id))
    .returning()

export const markTradeDeleted = prepareQuery('mark-trade-deleted', (db, p: Placeholders<{ id: string }>) =>
  db
    .update(trades)
    .set({ deletedAt: now, photos: [], version: nextVersion })
    .where(eq(trades.id, p.id))
    .returning(),
)

export const findPhotosOfOwner = prepareQuery(
  'find-photos-of-owner',
  (db, p: Placeholders<{ ownerId: string }>) =>
    db
      .select({ photos: trades.photos })
      .from(trades)
      .where(and(eq(trades.ownerId, p.ownerId), notDeleted)),
)

export const markTradesDeleted = prepareQuery(
  'mark-trades-deleted',
  (db, p: Placeholders<{ ownerId: string }>) =>
    db
      .update(trades)
      .set({ deletedAt: now, photos: [], version: nextVersion })
      .where(and(eq(trades.ownerId, p.ownerId), notDeleted))
      .returning(),
)

/** Locks in the order of ids, like all code that locks several trades. */
export const markOffersWithdrawn = prepareQuery(
  'mark-offers-withdrawn',
  (db, p: Placeholders<{ wholesalerId: string }>) =>
    db
      .update(trades)
      .set({
        status: 'PENDING',
        expiredPriceCents: trades.priceCents,
        expiredAt: now,
        withdrawnAt: now,
        offerNotified: null,
        priceCents: null,
        taxCreditCents: null,
        taxRate: null,
        taxRateAsOf: null,
        offeredBy: null,
        offerExpiresAt: null,
        movedAt: now,
        version: nextVersion,
      })
      .where(
        sql`${trades.id} in (select ${trades.id} from ${trades} where ${trades.offeredBy} = ${p.wholesalerId}
        and ${trades.status} = 'OFFERED' and ${trades.deletedAt} is null order by ${trades.id} for update)`,
      )
      .returning(),
)

// Notifications of an offer's deadline, each sent once.

/** Marks a trade as reminded, and returns it, if its offer ends within this time. */
export const markOfferReminded = prepareQuery(
  'mark-offer-reminded',
  (db, p: Placeholders<{ id: string; withinMs: number }>) =>
    db
      .update(trades)
      .set({ offerNotified: 'REMINDED' })
      .where(
        sql`${trades.id} = ${p.id} and ${notDeleted} and ${trades.offerNotified} is null
        and ${trades.offerExpiresAt} > ${now}
        and ${trades.offerExpiresAt} <= ${now} + ${p.withinMs}::bigint * interval '1 millisecond'`,
      )
      .returning(),
)

const isUnnotifiedEnd = sql`${trades.expiredAt} is not null and ${notDeleted} and ${trades.offerNotified} is distinct from 'ENDED'`

/** Finds trades whose offer has ended without both parties having been notified. */
export const findEndedOffersToNotify = prepareQuery(
  'find-ended-offers-to-notify',
  (db, p: Placeholders<{ limit: number }>) =>
    db
      .select({ id: trades.id })
      .from(trades)
      .where(isUnnotifiedEnd)
      .orderBy(asc(trades.expiredAt))
      .limit(p.limit),
)

/** Marks a trade with an ended offer as notified and returns it, unless it was already marked. */
export const markOfferEndNotified = prepareQuery(
  'mark-offer-end-notified',
  (db, p: Placeholders<{ id: string }>) =>
    db
      .update(trades)
      .set({ offerNotified: 'ENDED' })
      .where(and(eq(trades.id, p.id), isUnnotifiedEnd))
      .returning(),
)

const isPassed = sql`exists (
  select from ${dealTrades} join ${deals} on ${deals.id} = ${dealTrades.dealId}
  where ${dealTrades.tradeId} = ${trades.id} and ${deals.passedAt} is not null)`

/**
 * Erases what a person wrote about their trades, including deleted ones, and what they owed on them
 * unless both parties of a sale have signed it.
 */
export const eraseTradeTexts = prepareQuery('erase-trade-texts', (db, p: Placeholders<{ ownerId: string }>) =>
  db
    .update(trades)
    .set({
      message: '',
      payoffAmount: sql`case when ${isPassed} then ${trades.payoffAmount} end`,
      lender: sql`case when ${isPassed} then ${trades.lender} else '' end`,
    })
    .where(eq(trades.ownerId, p.ownerId)),
)

/** For the deletion of unused pictures. */
export const tradePictureUse: PictureUse = {
  isUsed: (id) =>
    sql`exists (select from ${trades} where ${trades.photos} <> '[]' and ${trades.photos} @> ${JSON.stringify([{ id }])}::jsonb)`,
}
