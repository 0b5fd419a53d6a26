import type { TradeEventName, TradeParty, TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { and, asc, desc, eq, getTableColumns, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { users } from '../accounts/tables.ts'
import { type Db, prepared } from '../db/open.ts'
import { type NewTrade, type TradeEventRow, type TradeRow, tradeEvents, trades } from './tables.ts'

const p = sql.placeholder
const clock = sql`keyturn_now()`
const nextVersion = sql`nextval('row_versions')`
const live = isNull(trades.deletedAt)

/** The owner's own trade, or any for whom `ownerId` is null: a stranger's and none at all are the same. */
const mine = sql`(${p('ownerId')}::char(24) is null or ${trades.ownerId} = ${p('ownerId')}::char(24))`
type Which = { id: string; ownerId: string | null }

/** An offer whose seven days are over, by the database's clock. */
const isOver = sql<boolean>`coalesce(${trades.offerExpiresAt} <= keyturn_now(), false)`

const buyer = {
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
    .where(and(eq(trades.id, p('id')), mine, live)),
)

export const findTradeOfOwner = prepared<{ ownerId: string; vin: string }, { id: string }[]>(
  'trade-of-owner',
  (db) =>
    db
      .select({ id: trades.id })
      .from(trades)
      .where(and(eq(trades.ownerId, p('ownerId')), eq(trades.vin, p('vin')), live)),
)

export const findTradesOfUser = prepared<{ ownerId: string }, TradeWithBuyer[]>('trades-of-user', (db) =>
  db
    .select({ trade: trades, buyer })
    .from(trades)
    .innerJoin(users, eq(users.id, trades.ownerId))
    .where(and(eq(trades.ownerId, p('ownerId')), live))
    .orderBy(desc(trades.createdAt), desc(trades.id)),
)

/** How many of a person's trades are still to be agreed on. */
export const countOpen = prepared<{ ownerId: string }, { open: number }[]>('open-trades', (db) =>
  db
    .select({ open: sql<number>`count(*)::int` })
    .from(trades)
    .where(
      and(eq(trades.ownerId, p('ownerId')), live, inArray(trades.status, ['PENDING', 'OFFERED', 'OFFER'])),
    ),
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
          live,
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
    .where(and(eq(trades.id, p('id')), mine, live))
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
          live,
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

// Changes. Every one gives the row its next version, and the ledger a line with it.

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

export const markAllDeleted = prepared<{ ownerId: string }, TradeRow[]>('delete-trades-of', (db) =>
  db
    .update(trades)
    .set({ deletedAt: clock, version: nextVersion })
    .where(and(eq(trades.ownerId, p('ownerId')), live))
    .returning(),
)

/** Who did it, and from where. */
export type Doer = {
  party: TradeParty
  id: string | null
  sessionId: string | null
  requestId: string | null
  ip: string | null
}

export async function recordEvent(tx: Db, row: TradeRow, event: TradeEventName, by: Doer): Promise<void> {
  await insertEvent(tx, {
    tradeId: row.id,
    event,
    actor: by.party,
    actorId: by.id,
    sessionId: by.sessionId,
    requestId: by.requestId,
    ip: by.ip,
    status: row.status,
    priceCents: row.priceCents,
    taxCreditCents: row.taxCreditCents,
    taxRate: row.taxRate,
    version: row.version,
  })
}

const insertEvent = prepared<Omit<TradeEventRow, 'id' | 'at'>, unknown>('trade-event', (db) =>
  db.insert(tradeEvents).values({
    tradeId: p('tradeId'),
    event: p('event') as never,
    actor: p('actor') as never,
    actorId: p('actorId'),
    sessionId: p('sessionId'),
    requestId: p('requestId'),
    ip: p('ip'),
    status: p('status') as never,
    priceCents: p('priceCents'),
    taxCreditCents: p('taxCreditCents'),
    taxRate: p('taxRate'),
    version: p('version'),
  }),
)

export const findLastEvent = prepared<{ tradeId: string }, { event: TradeEventName }[]>(
  'last-trade-event',
  (db) =>
    db
      .select({ event: tradeEvents.event })
      .from(tradeEvents)
      .where(eq(tradeEvents.tradeId, p('tradeId')))
      .orderBy(desc(tradeEvents.version))
      .limit(1),
)

export type HistoryRow = TradeEventRow & { firstName: string | null; lastName: string | null }

export const findHistory = prepared<{ tradeId: string }, HistoryRow[]>('trade-history', (db) =>
  db
    .select({ ...getTableColumns(tradeEvents), firstName: users.firstName, lastName: users.lastName })
    .from(tradeEvents)
    .leftJoin(users, eq(users.id, tradeEvents.actorId))
    .where(eq(tradeEvents.tradeId, p('tradeId')))
    .orderBy(asc(tradeEvents.version)),
)

// Offers whose time is over.

const isDue: SQL = sql`${trades.status} = 'OFFERED' and ${trades.deletedAt} is null and ${trades.offerExpiresAt} <= keyturn_now()`

export const findDue = prepared<Record<string, never>, { id: string }[]>('offer-due', (db) =>
  db.select({ id: trades.id }).from(trades).where(isDue).limit(1),
)

/** Takes back up to `limit` of them and writes the clock's lines; a row that somebody is just moving is left to them. */
export async function expireDue(tx: Db, limit: number): Promise<{ id: string; ownerId: string }[]> {
  const { rows } = await tx.execute<{ id: string; owner_id: string }>(sql`
    with due as (
      select id from trades
      where status = 'OFFERED' and deleted_at is null and offer_expires_at <= keyturn_now()
      order by offer_expires_at limit ${limit} for update skip locked
    ), moved as (
      update trades set status = 'PENDING', price_cents = null, tax_credit_cents = null, tax_rate = null,
        offered_by = null, offer_expires_at = null, moved_at = keyturn_now(), version = nextval('row_versions')
      from due where trades.id = due.id
      returning trades.id, trades.owner_id, trades.version
    ), told as (
      insert into trade_events (trade_id, actor, event, status, version)
      select id, 'CLOCK', 'expire', 'PENDING', version from moved
    )
    select id, owner_id from moved`)
  return rows.map((row) => ({ id: row.id, ownerId: row.owner_id }))
}

/** Approved wholesalers who could make an offer, the longest approved first. */
export const findWholesalers = prepared<{ limit: number }, { email: string | null }[]>(
  'wholesaler-addresses',
  (db) =>
    db
      .select({ email: users.email })
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
