import { eq, type SQLWrapper, sql } from 'drizzle-orm'
import { now } from '../database/columns.ts'
import type { Db } from '../database/open-database.ts'
import { type Placeholders, prepareQuery } from '../database/prepare-query.ts'
import { throttles } from './tables.ts'

const isOver = sql`${throttles.windowEndsAt} <= ${now}`
/** Not `now`, which after a wait for the row lock is older than the time that the holder wrote. */
const epoch = sql`'epoch'::timestamptz`
/** 1, 2, 4 ... up to 60 s. Not applied below `slowFrom`. */
const pauseAfter = (count: SQLWrapper, { slowFrom }: Placeholders<ThrottleValues>) =>
  sql`(least(60, power(2, least(greatest(${count} - ${slowFrom}::int, 0), 6))) * interval '1 second')`
const freeAfter = (count: SQLWrapper, p: Placeholders<ThrottleValues>) =>
  sql`case when ${count} >= ${p.slowFrom}::int then ${now} + ${pauseAfter(count, p)} else ${epoch} end`
const oneMore = sql`(case when ${isOver} then 1 else ${throttles.count} + 1 end)`
const windowEnd = ({ seconds }: Placeholders<ThrottleValues>) =>
  sql`(${now} + ${seconds}::int * interval '1 second')`

/**
 * Detects a database clock that was set back: the stored time is later than this limit allows. The
 * request then counts normally, and later times are reduced. Tolerates waiting for the row lock.
 */
const maxLockWait = sql`interval '10 seconds'`
const isBeyond = (p: Placeholders<ThrottleValues>) =>
  sql`${throttles.windowEndsAt} > ${windowEnd(p)} + ${maxLockWait}`
const isFree = (p: Placeholders<ThrottleValues>) => sql`(${throttles.freeAt} <= ${now}
  or ${throttles.freeAt} > ${now} + ${pauseAfter(throttles.count, p)} + ${maxLockWait})`
type ThrottleValues = { bucket: string; seconds: number; max: number; slowFrom: number }

/** Counts and decides in one statement. Returns no row if the limit is exceeded. */
export const incrementThrottle = prepareQuery('increment-throttle', (db, p: Placeholders<ThrottleValues>) =>
  db
    .insert(throttles)
    .values({ bucket: sql`${p.bucket}`, count: 1, windowEndsAt: windowEnd(p), freeAt: epoch })
    .onConflictDoUpdate({
      target: throttles.bucket,
      set: {
        count: oneMore,
        windowEndsAt: sql`case when ${isOver} then ${windowEnd(p)} else least(${throttles.windowEndsAt}, ${windowEnd(p)}) end`,
        freeAt: freeAfter(oneMore, p),
      },
      setWhere: sql`${isOver} or ${isBeyond(p)} or (${throttles.count} < ${p.max}::int and ${isFree(p)})`,
    })
    .returning({ count: throttles.count }),
)

export const readWait = prepareQuery(
  'read-throttle-wait',
  (db, p: Placeholders<{ bucket: string; max: number }>) =>
    db
      .select({
        seconds: sql<number>`ceil(extract(epoch from
        case when ${throttles.count} >= ${p.max}::int then ${throttles.windowEndsAt} else ${throttles.freeAt} end
        - keyturn_now()))::int`,
      })
      .from(throttles)
      .where(eq(throttles.bucket, p.bucket)),
)

export const decrementThrottle = prepareQuery(
  'decrement-throttle',
  (db, p: Placeholders<{ bucket: string }>) =>
    db
      .update(throttles)
      .set({ count: sql`greatest(${throttles.count} - 1, 0)`, freeAt: epoch })
      .where(eq(throttles.bucket, p.bucket)),
)

export const deleteThrottle = prepareQuery('delete-throttle', (db, p: Placeholders<{ bucket: string }>) =>
  db.delete(throttles).where(eq(throttles.bucket, p.bucket)),
)

export async function deleteExpiredThrottles(db: Db): Promise<void> {
  await db.execute(
    sql`delete from throttles where window_ends_at < keyturn_now() - interval '2 minutes' and free_at < keyturn_now()`,
  )
}
