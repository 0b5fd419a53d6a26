import type { RetentionDays, RetentionKind } from '@keyturn/contract/shared/retention/retained-kinds.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../database/open-database.ts'

type RemovedBatch = {
  removed: number
  /** False once no row is left that is old enough. */
  hasMore: boolean
}

/** How a module removes its rows of a kind. Several rules may have the same kind. */
export type RetentionRule = {
  kind: RetentionKind
  /** Removes one bounded batch in a transaction of its own. */
  removeBatch(db: Db, days: RetentionDays): Promise<RemovedBatch>
  /** Selects the `at` of the oldest row that is old enough. */
  oldest(days: RetentionDays): SQL
}

/** Large enough for a backlog of millions, small enough that nobody waits for its locks. */
export const batchSize = 1000

/** True from the moment on at which the row has this age (R-everywhere-70). */
export const isOlderThan = (at: SQL, days: number): SQL =>
  sql`${at} <= keyturn_now() - ${days}::int * interval '1 day'`

type AgedRows = {
  kind: RetentionKind
  table: PgTable
  /** From when the age counts; an index has to begin with it. */
  at: SQL
  /** A further condition. Few old rows may fail it, because each run reads those again. */
  where?: SQL
  /** Columns to clear; without them the rows are deleted. */
  set?: SQL
  /** Smaller where each row takes many others with it. */
  limit?: number
}

/** Removes the oldest rows first, skipping rows that somebody else has locked. */
export function agedRows({
  kind,
  table,
  at,
  where = sql`true`,
  set,
  limit = batchSize,
}: AgedRows): RetentionRule {
  const isDue = (days: RetentionDays) => sql`${isOlderThan(at, days[kind])} and ${where}`
  return {
    kind,
    removeBatch: async (db, days) => {
      const rows = sql`ctid = any(array(
        select ctid from ${table} where ${isDue(days)} order by ${at} limit ${limit} for update skip locked))`
      const { rowCount } = await db.execute(
        set ? sql`update ${table} set ${set} where ${rows}` : sql`delete from ${table} where ${rows}`,
      )
      const removed = rowCount ?? 0
      return { removed, hasMore: removed === limit }
    },
    oldest: (days) => sql`select ${at} as at from ${table} where ${isDue(days)} order by ${at} limit 1`,
  }
}
