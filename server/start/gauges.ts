import type { Deps } from '../deps.ts'
import { readWitnessGauges } from '../modules/agreements/evidence-log/submit-heads.ts'
import { readSealExpiryGauge } from '../modules/agreements/seal/seal-expiry-gauge.ts'
import { readDealGauges } from '../modules/deals/dashboards/deal-counts.ts'
import { readBackupGauges } from '../platform/backup/backup-gauges.ts'
import type { Standbys } from '../platform/database/standbys/standbys.ts'
import { readJobGauges } from '../platform/jobs/job-gauges.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { readEmailGauges } from '../platform/mail/email-gauges.ts'
import type { WriteProbe } from '../platform/rate-limits/write-probe.ts'
import { readRetentionGauges } from '../platform/retention/remove-old-rows.ts'
import type { RetentionRule } from '../platform/retention/retention-rule.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { readDiskGauges, readReplicationGauges } from '../platform/telemetry/operation-gauges.ts'

type GaugeSources = {
  jobs: Jobs
  writes: WriteProbe
  retention: readonly RetentionRule[]
  /** Names of all jobs. */
  kinds: readonly string[]
  isEnding: () => boolean
}

/** Adds gauges of this process and of the database. */
export function addGauges(
  metrics: Metrics,
  { db, pool, config }: Deps,
  { jobs, writes, retention, kinds, isEnding }: GaugeSources,
): void {
  metrics.addGauge('keyturn_pool_connections', () => ({
    idle: pool.idleCount,
    busy: pool.totalCount - pool.idleCount,
  }))
  metrics.addGauge('keyturn_pool_waiting', () => pool.waitingCount)
  metrics.addGauge('keyturn_pool_size', () => pool.options.max)
  metrics.addGauge('keyturn_jobs_running', jobs.running)
  metrics.addGauge('keyturn_jobs_stalled', () => (jobs.state() === 'stalled' ? 1 : 0))
  metrics.addGauge('keyturn_writes_failing', () => (writes.state() === 'failing' ? 1 : 0))
  metrics.addGauge('keyturn_draining', () => (isEnding() ? 1 : 0))
  metrics.addDatabaseGauges(() => readJobGauges(db, kinds))
  metrics.addDatabaseGauges(() => readEmailGauges(db))
  metrics.addDatabaseGauges(() => readDealGauges(db))
  metrics.addDatabaseGauges(() => readRetentionGauges({ db, config }, retention))
  metrics.addDatabaseGauges(() => readBackupGauges(db))
  metrics.addDatabaseGauges(() => readReplicationGauges(db))
  metrics.addDatabaseGauges(() => readSealExpiryGauge(db))
  metrics.addDatabaseGauges(() => readWitnessGauges({ db, config }))
  metrics.addDatabaseGauges(() => readDiskGauges(config))
}

export function addStandbyGauges(metrics: Metrics, standbys: Standbys | null): void {
  const all = standbys?.all ?? []
  metrics.addGauge('keyturn_read_standbys', () => {
    const usable = all.filter((standby) => standby.isUsable(null)).length
    return { usable, unusable: all.length - usable }
  })
  metrics.addDatabaseGauges(async () =>
    all.map(({ name, lagSeconds }) => ({
      gauge: 'keyturn_read_lag_seconds',
      of: name,
      value: lagSeconds(),
    })),
  )
}
