import type { DeliveryState } from '@keyturn/contract/deals/rules.ts'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'
import { now, pickColumns } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../../platform/database/prepare-query.ts'
import { isPaused } from '../../deals/state-sql.ts'
import { deals } from '../../deals/tables.ts'
import { dealers, deliveries, deliveryTries } from '../tables.ts'

export const insertDelivery = async (tx: Db, row: PgInsertValue<typeof deliveries>): Promise<void> => {
  await tx.insert(deliveries).values(row)
}

/** Counted from the first attempt, so that our downtime does not use up the dealer's time. */
const firstGiveUpAt = sql`${now} + interval '3 days'`

const isDue = {
  waitMs: sql<number>`greatest(0, extract(epoch from ${deliveries.nextTryAt} - ${now}) * 1000)::int`,
  /** The remaining time for attempts, in ms. */
  leftMs: sql<number>`greatest(0, extract(epoch from
    case when ${deliveries.tries} = 0 then ${firstGiveUpAt} else ${deliveries.giveUpAt} end - ${now}) * 1000)::int`,
}

const dealParties = pickColumns(deals, 'sellerId', 'buyerId')

/** A deal's next delivery, unless the deal is paused. Its events are sent in order. */
export const findNextDelivery = prepareQuery(
  'find-next-delivery',
  (db, p: Placeholders<{ dealId: string }>) =>
    db
      .select({
        ...pickColumns(deliveries, 'id', 'kind', 'tries', 'createdAt'),
        ...isDue,
        packageId: deals.packageId,
        ...dealParties,
        now,
        dealer: dealers,
      })
      .from(deliveries)
      .innerJoin(deals, eq(deals.id, deliveries.dealId))
      .innerJoin(dealers, eq(dealers.id, deliveries.dealerId))
      .where(
        and(
          eq(deliveries.dealId, p.dealId),
          eq(deliveries.way, 'webhook'),
          eq(deliveries.state, 'WAITING'),
          sql`not ${isPaused}`,
        ),
      )
      .orderBy(asc(deliveries.number))
      .limit(1),
)
export type NextDelivery = RowOf<typeof findNextDelivery>

type DeliveryAttempt = {
  id: string
  ms: number
  status: number | null
  because: string | null
  digest: Buffer | null
  state: DeliveryState
  pauseMs: number
}

/** Stores an attempt and its outcome, unless another process ended the delivery. */
export const insertDeliveryAttempt = async (
  db: Db,
  { id, ms, status, because, digest, state, pauseMs }: DeliveryAttempt,
): Promise<void> => {
  await db.execute(sql`
    with one as (
      update ${deliveries} set
        give_up_at = case when tries = 0 then ${firstGiveUpAt} else give_up_at end,
        tries = tries + 1, payload_digest = coalesce(${digest}::bytea, payload_digest), state = ${state},
        next_try_at = keyturn_now() + ${pauseMs}::int * interval '1 millisecond',
        ended_at = case when ${state} = 'WAITING' then null else keyturn_now() end
      where id = ${id} and state = 'WAITING'
      returning id)
    insert into ${deliveryTries} (delivery_id, number, at, ms, status, because)
    select id, coalesce((select max(number) from ${deliveryTries} where delivery_id = ${id}), 0) + 1,
      keyturn_now() - ${ms}::int * interval '1 millisecond', ${ms}, ${status}, ${because}
    from one`)
}

/** Parks the later events of a deal, because events are delivered in order. */
export const parkLaterDeliveries = prepareQuery(
  'park-later-deliveries',
  (db, p: Placeholders<{ dealId: string }>) =>
    db
      .update(deliveries)
      .set({ state: 'PARKED', endedAt: now })
      .where(
        and(eq(deliveries.dealId, p.dealId), eq(deliveries.way, 'webhook'), eq(deliveries.state, 'WAITING')),
      )
      .returning({ id: deliveries.id }),
)

export const parkDeliveries = (tx: Db) =>
  tx.update(deliveries).set({ state: 'PARKED', endedAt: now }).where(eq(deliveries.state, 'WAITING'))

/** Makes the waiting webhooks of a deal due again, with all the time for attempts. */
export const resumeDeliveries = prepareQuery('resume-deliveries', (db, p: Placeholders<{ dealId: string }>) =>
  db
    .update(deliveries)
    .set({ nextTryAt: now, giveUpAt: sql`${firstGiveUpAt}` })
    .where(
      and(eq(deliveries.dealId, p.dealId), eq(deliveries.way, 'webhook'), eq(deliveries.state, 'WAITING')),
    )
    .returning({ id: deliveries.id }),
)

/** Restarts a delivery manually, as if it had never been attempted. */
export const requeueDelivery = prepareQuery('requeue-delivery', (db, p: Placeholders<{ id: string }>) =>
  db
    .update(deliveries)
    .set({ state: 'WAITING', endedAt: null, tries: 0, nextTryAt: now })
    .where(eq(deliveries.id, p.id)),
)

export const findDelivery = prepareQuery('find-delivery', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({
      ...pickColumns(deliveries, 'id', 'dealId', 'kind', 'way', 'state', 'tries', 'createdAt'),
      packageId: deals.packageId,
      isPaused,
      ...dealParties,
      now,
      dealer: dealers,
    })
    .from(deliveries)
    .leftJoin(deals, eq(deals.id, deliveries.dealId))
    .innerJoin(dealers, eq(dealers.id, deliveries.dealerId))
    .where(eq(deliveries.id, p.id)),
)
