import { eq, sql } from 'drizzle-orm'
import { type Db, prepared } from '../db/open.ts'
import { throttles } from './tables.ts'

const p = sql.placeholder
const now = sql`keyturn_now()`
const isOver = sql`${throttles.windowEndsAt} <= ${now}`
/** Not `now`: a statement that waited for the row's lock has an earlier "now" than the one that held it. */
const longAgo = sql`'epoch'::timestamptz`
/** 1, 2, 4 ... at most 60 seconds. */
const pauseAfter = (count: unknown) =>
  sql`(case when ${count} >= ${p('slowFrom')}::int
    then least(60, power(2, least(${count} - ${p('slowFrom')}::int, 6))) else 0 end * interval '1 second')`
const freeAfter = (count: unknown) =>
  sql`case when ${count} >= ${p('slowFrom')}::int then ${now} + ${pauseAfter(count)} else ${longAgo} end`
const oneMore = sql`(case when ${isOver} then 1 else ${throttles.count} + 1 end)`
const newEnd = sql`(${now} + ${p('seconds')}::int * interval '1 second')`

/**
 * Further ahead than this limit can put it: the database's clock has stepped back since. The turn is counted as ever,
 * and what it writes lies no further ahead than the limit says. Waiting for the row's lock alone is no such step.
 */
const longestLockWait = sql`interval '10 seconds'`
const isBeyond = sql`${throttles.windowEndsAt} > ${newEnd} + ${longestLockWait}`
const isFree = sql`(${throttles.freeAt} <= ${now}
  or ${throttles.freeAt} > ${now} + ${pauseAfter(throttles.count)} + ${longestLockWait})`

/** Counts and decides in one statement, so that no two tries see the same count. No row: refused. */
export const countTurn = prepared<
  { bucket: string; seconds: number; most: number; slowFrom: number },
  { count: number }[]
>('count-turn', (db) =>
  db
    .insert(throttles)
    .values({ bucket: sql`${p('bucket')}`, count: 1, windowEndsAt: newEnd, freeAt: longAgo })
    .onConflictDoUpdate({
      target: throttles.bucket,
      set: {
        count: oneMore,
        windowEndsAt: sql`case when ${isOver} then ${newEnd} else least(${throttles.windowEndsAt}, ${newEnd}) end`,
        freeAt: freeAfter(oneMore),
      },
      setWhere: sql`${isOver} or ${isBeyond} or (${throttles.count} < ${p('most')}::int and ${isFree})`,
    })
    .returning({ count: throttles.count }),
)

export const readWait = prepared<{ bucket: string; most: number }, { seconds: number }[]>('read-wait', (db) =>
  db
    .select({
      seconds: sql<number>`ceil(extract(epoch from
        case when ${throttles.count} >= ${p('most')}::int then ${throttles.windowEndsAt} else ${throttles.freeAt} end
        - keyturn_now()))::int`,
    })
    .from(throttles)
    .where(eq(throttles.bucket, p('bucket'))),
)

export const giveTurnBack = prepared<{ bucket: string }, unknown>('give-turn-back', (db) =>
  db
    .update(throttles)
    .set({ count: sql`greatest(${throttles.count} - 1, 0)`, freeAt: longAgo })
    .where(eq(throttles.bucket, p('bucket'))),
)

export const clearTurns = prepared<{ bucket: string }, unknown>('clear-turns', (db) =>
  db.delete(throttles).where(eq(throttles.bucket, p('bucket'))),
)

export async function deleteOldTurns(db: Db): Promise<void> {
  await db.execute(
    sql`delete from throttles where window_ends_at < keyturn_now() - interval '2 minutes' and free_at < keyturn_now()`,
  )
}
