import { sql } from 'drizzle-orm'
import { batchSize, isOlderThan, type RetentionRule } from '../../../platform/retention/retention-rule.ts'
import { deliveries, deliveryTries } from '../tables.ts'

const isDue = (days: number) =>
  sql`${isOlderThan(sql`at`, days)} and because is not null
    and exists (select from ${deliveries} where id = delivery_id and state <> 'WAITING')`

/**
 * Only a function of the database removes tries, and only failed ones of deliveries that ended. It
 * exists once no older server runs (migration 0096).
 */
export const deliveryRetention: readonly RetentionRule[] = [
  {
    kind: 'deliveryTries',
    removeBatch: async (db, { deliveryTries: days }) => {
      const { rows: found } = await db.execute(
        sql`select where to_regproc('delete_failed_tries') is not null`,
      )
      if (found.length === 0) return { removed: 0, hasMore: false }
      const { rows } = await db.execute<{ removed: number }>(
        sql`select delete_failed_tries(${days}::int, ${batchSize}::int) as removed`,
      )
      const removed = rows[0]?.removed ?? 0
      return { removed, hasMore: removed === batchSize }
    },
    oldest: ({ deliveryTries: days }) =>
      sql`select at from ${deliveryTries} where ${isDue(days)} order by at limit 1`,
  },
]
