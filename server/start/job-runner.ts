import type { Deps } from '../deps.ts'
import { accountTasks } from '../modules/accounts/tasks.ts'
import { agreementAttachments } from '../modules/agreements/agreement-pdf-store.ts'
import { enqueueSubmissions } from '../modules/agreements/evidence-log/submit-heads.ts'
import { dealPictureUse } from '../modules/agreements/signed-photos.ts'
import { carPictureUse, deleteOldUnknownVins } from '../modules/cars/repository.ts'
import { dealerAttachments } from '../modules/dealers/webhook-delivery/dealer-email.ts'
import { mergeDealCounts } from '../modules/deals/dashboards/deal-counts.ts'
import { pushTasks } from '../modules/notifications/push/push-tasks.ts'
import { findResolvedEmails } from '../modules/notifications/sent-notifications.ts'
import { tradeTasks } from '../modules/trades/expire-offers.ts'
import { tradePictureUse } from '../modules/trades/repository.ts'
import { createBackupTasks } from '../platform/backup/backup-tasks.ts'
import { migrationsFolder } from '../platform/database/migrate.ts'
import { listMigrations } from '../platform/database/migrations/online/migration-kinds.ts'
import { publishKnownMigrations } from '../platform/database/migrations/online/running-servers.ts'
import type { Db } from '../platform/database/open-database.ts'
import { type Jobs, startJobs } from '../platform/jobs/jobs.ts'
import type { OnConnect } from '../platform/jobs/worker-lease.ts'
import { createEmailTasks } from '../platform/mail/email-tasks.ts'
import type { WriteProbe } from '../platform/rate-limits/write-probe.ts'
import { retentionTasks } from '../platform/retention/remove-old-rows.ts'
import type { Lifetime } from '../platform/startup/lifetime.ts'
import { StartupError } from '../platform/startup/startup-error.ts'
import { documentTasks } from '../platform/storage/documents.ts'
import { pictureTasks } from '../platform/storage/sweep-pictures.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { createRetentionRules, saleTasks } from '../tasks.ts'
import { addGauges } from './gauges.ts'

const backupCommand = new URL(
  import.meta.url.endsWith('.ts') ? '../commands/backup.ts' : './backup.js',
  import.meta.url,
)

/** Starts the background jobs of all modules, with their gauges. */
export async function startJobRunner(
  { onClose, step, isEnding, fail }: Lifetime,
  deps: Deps,
  metrics: Metrics | null,
  writes: WriteProbe,
): Promise<Jobs> {
  const backups = createBackupTasks(deps, backupCommand)
  onClose(async () => backups.close())
  await step(backups.plan())
  // A witness may be new, or the server may have been stopped before it was asked.
  await step(enqueueSubmissions(deps, deps.db))
  const mail = createEmailTasks(
    deps,
    { agreement: agreementAttachments(deps), delivery: dealerAttachments(deps) },
    findResolvedEmails,
  )
  const accounts = accountTasks(deps, { cleanAlso: cleanModules })
  const photos = pictureTasks(deps, [carPictureUse, tradePictureUse, dealPictureUse])
  const { db, pool, log, config } = deps
  const retention = createRetentionRules()
  const tasks = {
    ...mail.tasks,
    ...pushTasks(deps),
    ...accounts,
    ...retentionTasks(deps, retention, metrics ? { onRemoved: metrics.countRemoved } : {}),
    ...tradeTasks(deps),
    ...saleTasks(deps),
    ...photos,
    ...documentTasks(deps),
    ...backups.tasks,
  }
  const onJob = metrics?.countJob
  const steps = await step(listMigrations(migrationsFolder))
  const onConnect: OnConnect = (client) =>
    publishKnownMigrations(client, steps).catch((error) => {
      // Never work on a database that belongs to another installation.
      if (error instanceof StartupError) fail(error)
      throw error
    })
  const jobs = startJobs({ db, pool, log, processes: config.processes, onJob, onConnect }, tasks)
  if (metrics) addGauges(metrics, deps, { jobs, writes, retention, kinds: Object.keys(tasks), isEnding })
  onClose(async () => {
    await jobs.stop()
    mail.close()
  })
  return jobs
}

/** Cleanup tasks of the modules above accounts. */
async function cleanModules(db: Db): Promise<void> {
  await deleteOldUnknownVins(db)
  await mergeDealCounts(db)
}
