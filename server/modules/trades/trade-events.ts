import type { TradeEventName, TradeMoveActor } from '@keyturn/contract/trades/rules.ts'
import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { now } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../platform/database/prepare-query.ts'
import { users } from '../accounts/tables.ts'
import { type TradeRow, tradeEvents, trades } from './tables.ts'

/** Person, session and request, but no IP address, because these rows outlive the account. */
export type TradeActor = {
  actor: TradeMoveActor
  id: string | null
  sessionId: string | null
  requestId: string | null
}

export async function recordTradeEvent(
  tx: Db,
  row: TradeRow,
  event: TradeEventName,
  by: TradeActor,
): Promise<void> {
  await tx.insert(tradeEvents).values({
    tradeId: row.id,
    event,
    actor: by.actor,
    actorId: by.id,
    sessionId: by.sessionId,
    requestId: by.requestId,
    status: row.status,
    priceCents: row.priceCents,
    taxCreditCents: row.taxCreditCents,
    taxRate: row.taxRate,
    version: row.version,
  })
}

export const findLastOffer = prepareQuery('find-last-offer', (db, p: Placeholders<{ tradeId: string }>) =>
  db
    .select({ by: tradeEvents.actorId })
    .from(tradeEvents)
    .where(and(eq(tradeEvents.tradeId, p.tradeId), eq(tradeEvents.event, 'offer')))
    .orderBy(desc(tradeEvents.version))
    .limit(1),
)

export const findTradeHistory = prepareQuery(
  'find-trade-history',
  (db, p: Placeholders<{ tradeId: string }>) =>
    db
      .select({ ...getTableColumns(tradeEvents), firstName: users.firstName, lastName: users.lastName })
      .from(tradeEvents)
      .leftJoin(users, eq(users.id, tradeEvents.actorId))
      .where(eq(tradeEvents.tradeId, p.tradeId))
      .orderBy(asc(tradeEvents.version)),
)

export type HistoryRow = RowOf<typeof findTradeHistory>

/** A wholesaler may withdraw one offer for a trade in this time (R-trades-34). */
export const isRecentWithdrawal = sql`${tradeEvents.event} = 'withdraw' and ${tradeEvents.at} > ${now} - interval '1 day'`

export const findRecentWithdrawal = prepareQuery(
  'find-recent-withdrawal',
  (db, p: Placeholders<{ tradeId: string; wholesalerId: string }>) =>
    db
      .select({ at: tradeEvents.at })
      .from(tradeEvents)
      .where(
        and(eq(tradeEvents.tradeId, p.tradeId), eq(tradeEvents.actorId, p.wholesalerId), isRecentWithdrawal),
      )
      .limit(1),
)

// Expired offers.

export const findDueOffer = prepareQuery('find-due-offer', (db) =>
  db
    .select({ id: trades.id })
    .from(trades)
    .where(
      sql`${trades.status} = 'OFFERED' and ${trades.deletedAt} is null and ${trades.offerExpiresAt} <= ${now}`,
    )
    .limit(1),
)

/** Expires up to `limit` offers and records the events; skips rows locked by a concurrent move. */
export async function expireDueOffers(tx: Db, limit: number): Promise<{ id: string; ownerId: string }[]> {
  const { rows } = await tx.execute<{ id: string; owner_id: string }>(sql`
    with due as (
      select id from trades
      where status = 'OFFERED' and deleted_at is null and offer_expires_at <= keyturn_now()
      order by offer_expires_at limit ${limit} for update skip locked
    ), moved as (
      update trades set status = 'PENDING', expired_price_cents = price_cents, expired_at = offer_expires_at, price_cents = null, tax_credit_cents = null, tax_rate = null, tax_rate_as_of = null,
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
