import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../../platform/database/prepare-query.ts'
import { isResolvedSql } from '../resolved-notifications.ts'
import { notifications, pushDevices, pushes } from '../tables.ts'

/** Older pushes are not sent. */
export const validForDays = 3

export const insertPushes = prepareQuery('insert-pushes', (db, p: Placeholders<{ rows: string }>) =>
  db
    .insert(pushes)
    // In the order of the table's columns. The lock waits for a device that is being removed, and
    // then omits it.
    .select(
      sql`select told.id, device.id, event, audience, "aboutId", "dealId", "tradeId", body, path, tag, rings, ${now},
          least(${now} + ${validForDays} * interval '1 day', until), 0, null
        from jsonb_to_recordset(${p.rows}::jsonb) as told(id char(24), "userId" char(24), event text, audience text,
          "aboutId" char(24), "dealId" char(24), "tradeId" char(24), body text, path text, tag char(24), rings boolean, until timestamptz)
        join ${pushDevices} as device on device.user_id = told."userId" for key share of device`,
    )
    .returning({ id: pushes.id, device: pushes.deviceId }),
)

export const deleteAllPushes = (tx: Db) => tx.delete(pushes)

type Key = { id: string; deviceId: string }
const isKey = (p: Placeholders<Key>) => and(eq(pushes.id, p.id), eq(pushes.deviceId, p.deviceId))

/** Presents a push as a notification, because `isResolvedSql` expects one. */
const asNotice = sql`(select ${pushes.event}, ${pushes.audience}, ${pushes.dealId}, ${pushes.tradeId}, ${pushes.createdAt},
  ${pushDevices.userId} as recipient_id)`

export type WaitingPush = RowOf<typeof findPush>
export const findPush = prepareQuery('find-push', (db, p: Placeholders<Key>) =>
  db
    .select({
      ...getTableColumns(pushes),
      endpoint: pushDevices.endpoint,
      p256dh: pushDevices.p256dh,
      auth: pushDevices.auth,
      failures: pushDevices.failures,
      secondsLeft: sql<number>`floor(extract(epoch from ${pushes.goodUntil} - ${now}))::int`,
      restsForMs: sql<number>`greatest(0, ceil(extract(epoch from coalesce(${pushDevices.restsUntil}, ${now}) - ${now}) * 1000))::int`,
      /** The push is resolved, or a newer one with the same tag is pending. */
      isPast: sql<boolean>`(select ${isResolvedSql} from ${asNotice} as ${notifications}) or exists (select from ${pushes} as newer
        where newer.device_id = pushes.device_id and newer.tag = pushes.tag and newer.created_at > pushes.created_at)`,
    })
    .from(pushes)
    .innerJoin(pushDevices, eq(pushDevices.id, pushes.deviceId))
    .where(isKey(p)),
)

/** Deletes a delivered push, and pending older ones with the same tag. */
export const deleteDeliveredPush = prepareQuery('delete-delivered-push', (db, p: Placeholders<Key>) =>
  db.delete(pushes).where(
    sql`${pushes.deviceId} = ${p.deviceId} and (${pushes.id} = ${p.id} or exists (select from ${pushes} as told
      where told.id = ${p.id} and told.device_id = ${p.deviceId} and told.tag = pushes.tag and told.created_at > pushes.created_at))`,
  ),
)

export const deletePush = prepareQuery('delete-push', (db, p: Placeholders<Key>) =>
  db.delete(pushes).where(isKey(p)),
)

/** Lets one push at a time retry a failed device. Returns a row if this push may. */
export const claimRetry = prepareQuery(
  'claim-retry',
  (db, p: Placeholders<{ deviceId: string; seconds: number }>) =>
    db
      .update(pushDevices)
      .set({ restsUntil: sql`${now} + ${p.seconds}::int * interval '1 second'` })
      .where(sql`${pushDevices.id} = ${p.deviceId} and coalesce(${pushDevices.restsUntil} <= ${now}, true)`)
      .returning({ id: pushDevices.id }),
)

export const savePushAttempt = prepareQuery(
  'save-push-attempt',
  (db, p: Placeholders<Key & { because: string }>) =>
    db
      .update(pushes)
      .set({ attempts: sql`${pushes.attempts} + 1`, failedBecause: sql`${p.because}` })
      .where(isKey(p)),
)

/**
 * Counts concurrent failed attempts as one failure; `seen` is the number of failures before the
 * attempt.
 */
export const pauseDevice = prepareQuery(
  'pause-device',
  (db, p: Placeholders<{ deviceId: string; seen: number; ms: number }>) =>
    db
      .update(pushDevices)
      .set({
        failures: sql`greatest(${pushDevices.failures}, ${p.seen}::int + 1)`,
        restsUntil: sql`greatest(${pushDevices.restsUntil}, ${now} + ${p.ms}::int * interval '1 millisecond')`,
      })
      .where(eq(pushDevices.id, p.deviceId)),
)

export const resetFailures = prepareQuery('reset-failures', (db, p: Placeholders<{ deviceId: string }>) =>
  db.update(pushDevices).set({ failures: 0, restsUntil: null }).where(eq(pushDevices.id, p.deviceId)),
)
