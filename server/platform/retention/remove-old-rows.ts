import { hourMs } from '@keyturn/contract/shared/dates.ts'
import type { RetentionKind } from '@keyturn/contract/shared/retention/retained-kinds.ts'
import { sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { describeError } from '../../shared/describe-error.ts'
import type { Db } from '../database/open-database.ts'
import type { Tasks } from '../jobs/jobs.ts'
import type { GaugeReading } from '../telemetry/gauge-reading.ts'
import type { RetentionRule } from './retention-rule.ts'

/** Scheduled once, by migration 0094; it reschedules itself. */
const removeOldRowsJob = 'remove-old-rows'

/** Time for each rule in a run, so that the backlog of one does not delay the others. */
const maxRuleMs = 5000

type Options = { onRemoved?: (kind: RetentionKind, count: number) => void }

/**
 * Removes rows of every kind at their age (R-everywhere-69), in batches that commit one by one. It
 * runs hourly, and again at once while there is more (R-everywhere-72).
 */
export const retentionTasks = (
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  rules: readonly RetentionRule[],
  { onRemoved = () => {} }: Options = {},
): Tasks => ({
  [removeOldRowsJob]: {
    places: 1,
    run: async (_, { stopping }) => {
      let hasMore = false
      let fault: unknown
      for (const rule of rules) {
        const until = performance.now() + maxRuleMs
        try {
          for (;;) {
            if (stopping.aborted) return { againInMs: 0 }
            const batch = await rule.removeBatch(db, config.retention)
            if (batch.removed > 0) onRemoved(rule.kind, batch.removed)
            if (!batch.hasMore) break
            if (performance.now() < until) continue
            hasMore = true
            break
          }
        } catch (error) {
          // The other kinds do not wait for this one.
          log.warn({ kind: rule.kind, because: describeError(error) }, 'old rows could not be removed')
          fault = error
        }
      }
      if (fault !== undefined) throw fault
      return { againInMs: hasMore ? 0 : hourMs }
    },
  },
})

/** Seconds by which the oldest row of each kind has passed its age; 0 if none has. */
export async function readRetentionGauges(
  { db, config }: { db: Db } & Pick<Deps, 'config'>,
  rules: readonly RetentionRule[],
): Promise<GaugeReading[]> {
  const lags = new Map<RetentionKind, number>()
  for (const { kind, oldest } of rules) {
    const days = config.retention[kind]
    const { rows } = await db.execute<{ lag: number }>(sql`
      select greatest(0, extract(epoch from keyturn_now() - ${days}::int * interval '1 day' - at))::float8 as lag
      from (${oldest(config.retention)}) as oldest`)
    lags.set(kind, Math.max(lags.get(kind) ?? 0, rows[0]?.lag ?? 0))
  }
  return [...lags].map(([of, value]) => ({ gauge: 'keyturn_retention_lag_seconds', of, value }))
}
