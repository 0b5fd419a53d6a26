import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { users } from '../accounts/tables.ts'
import { type Db, prepared } from '../db/open.ts'
import { type NewTrade, type TradeRow, trades } from './tables.ts'

const p = sql.placeholder
const clock = sql`keyturn_now()`
const nextVersion = sql`nextval('row_versions')`
const notDeleted = isNull(trades.deletedAt)

/** The owner's own trade, or any for whom `ownerId` is null: a stranger's and none at all are the same. */
const mine = sql`(${p('ownerId')}::char(24) is null or ${trades.ownerId} = ${p('ownerId')}::char(24))`
type Which = { id: string; ownerId: string | null }

/** An offer whose seven days are over, by the database's clock. */
const isOver = sql<boolean>`coalesce(${trades.offerExpiresAt} <= keyturn_now(), false)`

export const buyer = {
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  phoneNumber: users.phoneNumber,
}
export type BuyerRow = { firstName: string; lastName: string; email: string | null; phoneNumber: string }
export type TradeWithBuyer = { trade: TradeRow; buyer: BuyerRow }

export const findTrade = prepared<Which, TradeWithBuyer[]>('trade', (db) =>
  db
    .select({ trade: trades, buyer })
    .from(trades)
    .innerJoin(users, eq(users.id, trades.ownerId))
    .where(and(eq(trades.id, p('id')), mine, notDeleted)),
)

export const findTradeOfOwner = prepared<{ ownerId: string; vin: string }, { id: string }[]>(
  'trade-of-owner',
  (db) =>
    db
      .select({ id: trades.id })
      .from(trades)
      .where(and(eq(trades.ownerId, p('ownerId')), eq(trades.vin, p('vin')), notDeleted)),
)

export const findTradesOfUser = prepared<{ ownerId: string }, TradeWithBuyer[]>('trades-of-user', (db) =>
  db
    .select({ trade: trades, buyer })
    .from(trades)
    .innerJoin(users, eq(users.id, trades.ownerId))
    .where(and(eq(trades.ownerId, p('ownerId')), notDeleted))
    .orderBy(desc(trades.createdAt), desc(trades.id)),
)

/** Accepted and in no live deal, but for the owner's own deal on the car with `vin`. */
export const findAvailable = prepared<{ ownerId: string; vin: string | null }, TradeRow[]>(
  'available-trades',
  (db) =>
    db
      .select()
      .from(trades)
      .where(
        and(
          eq(trades.ownerId, p('ownerId')),
          eq(trades.status, 'ACCEPTED'),
          notDeleted,
          sql`not exists (
            select 1 from deal_trades used
            join deals on deals.id = used.deal_id
            join cars on cars.id = deals.car_id
            where used.trade_id = ${trades.id}
              and (deals.buyer_id = ${trades.ownerId} and cars.vin = ${p('vin')}::text) is not true
          )`,
        ),
      )
      .orderBy(desc(trades.createdAt), desc(trades.id)),
)

export const findByIds = prepared<{ ids: string[] }, TradeRow[]>('trades-by-ids', (db) =>
  db
    .select()
    .from(trades)
    .where(sql`${trades.id} = any(${p('ids')}::char(24)[])`),
)

// Locks.

export type HeldTrade = { trade: TradeRow; offerIsOver: boolean }

export const lockTrade = prepared<Which, HeldTrade[]>('lock-trade', (db) =>
  db
    .select({ trade: trades, offerIsOver: isOver })
    .from(trades)
    .where(and(eq(trades.id, p('id')), mine, notDeleted))
    .for('update'),
)

/** In the order of their ids, so that two requests for the same trades never wait for each other. */
export const lockAccepted = prepared<{ ownerId: string; vins: string[] }, TradeRow[]>(
  'lock-accepted-trades',
  (db) =>
    db
      .select()
      .from(trades)
      .where(
        and(
          eq(trades.ownerId, p('ownerId')),
          sql`${trades.vin} = any(${p('vins')}::text[])`,
          eq(trades.status, 'ACCEPTED'),
          notDeleted,
        ),
      )
      .orderBy(asc(trades.id))
      .for('update'),
)

export const countAttached = prepared<{ ids: string[] }, { attached: number }[]>('attached-trades', (db) =>
  db
    .select({ attached: sql<number>`count(*)::int` })
    .from(sql`deal_trades`)
    .where(sql`trade_id = any(${p('ids')}::char(24)[])`),
)

// Changes. Every one gives the row its next version.

export async function insertTrade(tx: Db, row: NewTrade): Promise<TradeRow> {
  const [made] = await tx.insert(trades).values(row).returning()
  return made as TradeRow
}

type Changes = {
  status: TradeStatus
  priceCents: number | null
  taxCreditCents: number | null
  taxRate: string | null
  offeredBy: string | null
  standsMs: number
}

export const saveMove = prepared<Changes & { id: string }, TradeRow[]>('move-trade', (db) =>
  db
    .update(trades)
    .set({
      status: sql`${p('status')}`,
      priceCents: sql`${p('priceCents')}`,
      taxCreditCents: sql`${p('taxCreditCents')}`,
      taxRate: sql`${p('taxRate')}`,
      offeredBy: sql`${p('offeredBy')}`,
      offerExpiresAt: sql`case when ${p('status')} = 'OFFERED' then ${clock} + ${p('standsMs')}::bigint * interval '1 millisecond' end`,
      movedAt: clock,
      version: nextVersion,
    })
    .where(eq(trades.id, p('id')))
    .returning(),
)

export const markDeleted = prepared<{ id: string }, TradeRow[]>('delete-trade', (db) =>
  db
    .update(trades)
    .set({ deletedAt: clock, version: nextVersion })
    .where(eq(trades.id, p('id')))
    .returning(),
)

/** All that a person had, and what they wrote with it: done when the account goes. */
export const markAllDeleted = prepared<{ ownerId: string }, TradeRow[]>('delete-trades-of', (db) =>
  db
    .update(trades)
    .set({ deletedAt: clock, message: '', version: nextVersion })
    .where(and(eq(trades.ownerId, p('ownerId')), notDeleted))
    .returning(),
)

/** Locked in the order of their ids, as everybody locks several of them. */
export const takeBackOffersOf = prepared<{ wholesalerId: string }, TradeRow[]>('take-back-offers-of', (db) =>
  db
    .update(trades)
    .set({
      status: 'PENDING',
      priceCents: null,
      taxCreditCents: null,
      taxRate: null,
      offeredBy: null,
      offerExpiresAt: null,
      movedAt: clock,
      version: nextVersion,
    })
    .where(
      sql`${trades.id} in (select id from trades where offered_by = ${p('wholesalerId')} and status = 'OFFERED'
        and deleted_at is null order by id for update)`,
    )
    .returning(),
)

export const eraseMessages = prepared<{ ownerId: string }, unknown>('erase-trade-messages', (db) =>
  db
    .update(trades)
    .set({ message: '' })
    .where(and(eq(trades.ownerId, p('ownerId')), isNotNull(trades.deletedAt))),
)

/** Approved wholesalers who could make an offer, the longest approved first. */
export const findWholesalers = prepared<{ limit: number }, { id: string; email: string | null }[]>(
  'wholesaler-addresses',
  (db) =>
    db
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(
        and(
          eq(users.userType, 'WHOLESALER'),
          sql`${users.approvedAt} is not null and ${users.verifiedAt} is not null`,
          isNull(users.deletedAt),
        ),
      )
      .orderBy(asc(users.approvedAt))
      .limit(sql`${p('limit')}` as never),
)
