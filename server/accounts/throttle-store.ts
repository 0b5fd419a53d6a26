import { eq, sql } from 'drizzle-orm'
import { prepared } from '../db/open.ts'
import { throttles } from './tables.ts'

const p = sql.placeholder
const isOver = sql`${throttles.windowEndsAt} <= keyturn_now()`
/** Long ago, not now: who waits for the row's lock has an earlier "now" than the one who held it. */
const atOnce = sql`'epoch'::timestamptz`
/** After 1, 2, 4 ... at most 60 seconds. */
const freeAfter = (count: unknown) =>
  sql`case when ${count} >= ${p('slowFrom')}::int
    then keyturn_now() + least(60, power(2, least(${count} - ${p('slowFrom')}::int, 6))) * interval '1 second'
    else ${atOnce} end`
const oneMore = sql`(case when ${isOver} then 1 else ${throttles.count} + 1 end)`
const newEnd = sql`keyturn_now() + ${p('seconds')}::int * interval '1 second'`

/** Counts and decides in one statement, so that no two tries see the same count. No row: refused. */
export const countTurn = prepared<
  { bucket: string; seconds: number; most: number; slowFrom: number },
  { count: number }[]
>('count-turn', (db) =>
  db
    .insert(throttles)
    .values({ bucket: sql`${p('bucket')}`, count: 1, windowEndsAt: newEnd, freeAt: atOnce })
    .onConflictDoUpdate({
      target: throttles.bucket,
      set: {
        count: oneMore,
        windowEndsAt: sql`case when ${isOver} then ${newEnd} else ${throttles.windowEndsAt} end`,
        freeAt: freeAfter(oneMore),
      },
      setWhere: sql`${isOver} or (${throttles.count} < ${p('most')}::int and ${throttles.freeAt} <= keyturn_now())`,
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
    .set({ count: sql`greatest(${throttles.count} - 1, 0)`, freeAt: atOnce })
    .where(eq(throttles.bucket, p('bucket'))),
)

export const clearTurns = prepared<{ bucket: string }, unknown>('clear-turns', (db) =>
  db.delete(throttles).where(eq(throttles.bucket, p('bucket'))),
)
