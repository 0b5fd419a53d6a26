import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { AgreementPages } from '@keyturn/contract/agreements/verify-page.ts'
import type { CarPages } from '@keyturn/contract/cars/car-pages.ts'
import type pg from 'pg'
import type { Logger as Log } from 'pino'
import { buildApp, type FormPages } from './app.ts'
import { seedDemo } from './commands/seed/seed.ts'
import { type Config, readConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { startEmbeddedPostgres } from './integrations/embedded-postgres/start-embedded-postgres.ts'
import { createVinDecoder } from './integrations/vin-decoder/vin-decoder.ts'
import { totpSecretColumn } from './modules/accounts/administrator/totp.ts'
import { accountTasks } from './modules/accounts/tasks.ts'
import { agreementAttachments } from './modules/agreements/agreement-pdf-store.ts'
import { enqueueSubmissions, readWitnessGauges } from './modules/agreements/evidence-log/submit-heads.ts'
import { describeOldRules } from './modules/agreements/paperwork/old-rules.ts'
import { createPdfPrinter } from './modules/agreements/pdf/pdf-printer.ts'
import { readSealExpiryGauge } from './modules/agreements/seal/seal-expiry-gauge.ts'
import { dealPictureUse } from './modules/agreements/signed-photos.ts'
import { carPictureUse, deleteOldUnknownVins } from './modules/cars/repository.ts'
import { dealerKeysColumn } from './modules/dealers/dealer-keys.ts'
import { createDesk } from './modules/dealers/desk/desk.ts'
import { dealerAttachments } from './modules/dealers/webhook-delivery/dealer-email.ts'
import { mergeDealCounts, readDealGauges } from './modules/deals/dashboards/deal-counts.ts'
import { publishResync } from './modules/notifications/events/publish-signals.ts'
import { pushTasks } from './modules/notifications/push/push-tasks.ts'
import { findResolvedEmails } from './modules/notifications/sent-notifications.ts'
import { tradeTasks } from './modules/trades/expire-offers.ts'
import { tradePictureUse } from './modules/trades/repository.ts'
import { readBackupGauges } from './platform/backup/backup-gauges.ts'
import { createBackupTasks } from './platform/backup/backup-tasks.ts'
import { createServingRole, defaultServingRole } from './platform/database/application-role.ts'
import { readIdentity } from './platform/database/connections/identity-check.ts'
import { type MigrationResult, migrationsFolder } from './platform/database/migrate.ts'
import { listMigrations } from './platform/database/migrations/online/migration-kinds.ts'
import { publishKnownMigrations } from './platform/database/migrations/online/running-servers.ts'
import {
  type Database,
  type Db,
  openDatabase,
  type ConnectionOptions as Serving,
} from './platform/database/open-database.ts'
import { openStandbys, type Standbys } from './platform/database/standbys/standbys.ts'
import { withoutTimeouts } from './platform/database/without-timeouts.ts'
import { readJobGauges } from './platform/jobs/job-gauges.ts'
import { type Jobs, startJobs } from './platform/jobs/jobs.ts'
import { findOutboundPause } from './platform/jobs/outbound-pause.ts'
import type { OnConnect } from './platform/jobs/worker-lease.ts'
import { openLog } from './platform/logging/log.ts'
import { watchLogLevel } from './platform/logging/log-level.ts'
import { readEmailGauges } from './platform/mail/email-gauges.ts'
import { createEmailTasks } from './platform/mail/email-tasks.ts'
import { loadRenderer } from './platform/pages/renderer.ts'
import { type CountUpdate, shareRateLimitCounts } from './platform/rate-limits/in-memory-limits.ts'
import { startWriteProbe, type WriteProbe } from './platform/rate-limits/write-probe.ts'
import { readRetentionGauges, retentionTasks } from './platform/retention/remove-old-rows.ts'
import type { RetentionRule } from './platform/retention/retention-rule.ts'
import { createSecret } from './platform/startup/data-folder.ts'
import { runDeferredMigrations } from './platform/startup/deferred-migrations.ts'
import { type Close, createLifetime, rollbackGraceMs, shutdownGraceMs } from './platform/startup/lifetime.ts'
import { createPushKey } from './platform/startup/push-key.ts'
import { createServingMark } from './platform/startup/serving-mark.ts'
import { checkSessionSecret } from './platform/startup/session-secret.ts'
import { type SharedKey, shareKey } from './platform/startup/shared-keys.ts'
import {
  grantRoleOrStartupError,
  listenOrStartupError,
  migrateOrExit,
  setLimitsOrExit,
} from './platform/startup/startup-checks.ts'
import { StartupError } from './platform/startup/startup-error.ts'
import { listStartupWarnings } from './platform/startup/startup-warnings.ts'
import { type DemoPerson, welcomeText } from './platform/startup/welcome.ts'
import { answerPings, readWorkerSettings, startWorkerProcesses } from './platform/startup/worker-processes.ts'
import { documentTasks } from './platform/storage/documents.ts'
import { createPictures } from './platform/storage/pictures.ts'
import { pictureTasks } from './platform/storage/sweep-pictures.ts'
import { createAllMetricsRequest, createMetricsGatherer } from './platform/telemetry/gather-metrics.ts'
import { createMetrics, type Metrics } from './platform/telemetry/metrics.ts'
import { readDiskGauges, readReplicationGauges } from './platform/telemetry/operation-gauges.ts'
import { createMetricsServer } from './platform/telemetry/serve-metrics.ts'
import { describeError } from './shared/describe-error.ts'
import { withTimeLimit } from './shared/with-time-limit.ts'
import { createRetentionRules, saleTasks } from './tasks.ts'

/** In ms, for sending the last spans. */
const lastTracesMs = 500
/** In ms, for a database that is starting, or whose creation is aborted. */
const openingMs = 8_000

const print = (line: string) => process.stdout.write(`${line}\n`)
const buildFolder = new URL(import.meta.url.endsWith('.ts') ? '../dist/' : '../', import.meta.url)
const pages = new URL('web/', buildFolder)

const backupCommand = new URL(
  import.meta.url.endsWith('.ts') ? './commands/backup.ts' : './backup.js',
  import.meta.url,
)

const { onClose, step, isEnding, drainFor, extendTimeout, fail } = createLifetime()
let reopenLog = () => {}

async function start(env: NodeJS.ProcessEnv): Promise<void> {
  const first = readConfig(env, 'before sharing')
  const workerSettings = readWorkerSettings<WorkerSettings>(process.argv)
  if (workerSettings)
    return void (await serve(
      readConfig(env),
      openOwnLog(first),
      servingOf(first, workerSettings.embedded),
      workerSettings,
    ))
  const connection = await step(connect(first))
  // Opened only now: a second start on the same folder must not touch the first one's log.
  const log = openOwnLog(first)
  const identity = await prepare(first, connection)
  const config = readConfig(env)
  const oldRules = describeOldRules(new Date())
  if (oldRules) log.warn(oldRules)
  const people = config.demo ? await seedDemoPeople(config, log, connection) : []
  const port =
    config.processes > 1
      ? await startWorkers(config, log, connection, identity)
      : await serve(config, log, connection.serves, { identity })
  print(welcomeText(config, port, people))
}

/**
 * Settings for a worker process: the embedded database's connection, which changes at each start,
 * and its identity.
 */
type WorkerSettings = { embedded: pg.PoolConfig | null; identity: string }

function openOwnLog(config: Config): Log {
  const { log, reopen } = openLog(config)
  reopenLog = reopen
  watchLogLevel(log, config.dataDir, config.logLevel)
  return log
}

/** Prepares tables, roles and shared keys for all processes. Returns the database's identity. */
async function prepare(config: Config, { serves, owns }: Connection): Promise<string> {
  const database = openDatabase({ ...serves, max: 2 })
  const closeDatabase = onClose(() => withTimeLimit(rollbackGraceMs, database.close()))
  const owner = owns ? openDatabase({ ...owns, max: 2 }) : database
  const closeOwner = onClose(
    async () => owner === database || (await withTimeLimit(rollbackGraceMs, owner.close())),
  )
  if (config.databaseDirectUrl) await step(setLimitsOrExit(database.pool, config.databaseDirectUrl))
  const { deferred } = await step(migrateDatabase(config, owner, database))
  if (
    config.databaseUrl &&
    (await step(checkSessionSecret(database.pool, config, [dealerKeysColumn, totpSecretColumn])))
  )
    print('SESSION_SECRET was rotated. Stored keys are encrypted with the new secret.')
  for (const line of await step(listStartupWarnings(config, Object.keys(process.env), database.pool)))
    print(line)
  for (const name of ['evidence-key', 'push-key'] as const)
    await step(shareKeyOf(config, database.pool, name, name === 'push-key' ? createPushKey : createSecret))
  const stopped = await step(findOutboundPause(database.db))
  if (stopped) print(`No email, delivery or push is sent (${stopped}) before: npm run restore -- --release`)
  const identity = await step(withoutTimeouts(database.pool, readIdentity))
  await closeOwner()
  await closeDatabase()
  const migrateDeferred = () => migrateOnce(config, { ...(owns ?? serves), served: { identity } })
  const stopDeferred = runDeferredMigrations({ first: deferred, migrate: migrateDeferred, print })
  onClose(async () => stopDeferred())
  return identity
}

async function migrateOnce(config: Config, connection: Serving): Promise<MigrationResult> {
  const owner = openDatabase({ ...connection, max: 1 })
  try {
    return await migrateOrExit(owner.pool, config)
  } finally {
    await owner.close()
  }
}

async function shareKeyOf(
  config: Config,
  pool: pg.Pool,
  name: SharedKey,
  make: () => Promise<Buffer> | Buffer,
) {
  if (config.sharedKeys.includes(name)) await shareKey({ pool, config, name, make, print })
}

/** Seeds the demo as the owner, because only the owner may set the database's clock. */
async function seedDemoPeople(config: Config, log: Log, { serves, owns }: Connection): Promise<DemoPerson[]> {
  const database = openDatabase({ ...(owns ?? serves), max: 2 })
  const closeDatabase = onClose(() => withTimeLimit(rollbackGraceMs, database.close()))
  const { deps, close } = openDeps(config, log, database)
  const people = await step(seedDemo(deps, print))
  await close()
  await closeDatabase()
  return people
}

function openDeps(config: Config, log: Log, { db, pool }: Database): { deps: Deps; close: Close } {
  const vins = createVinDecoder({ onFault: (fault) => log.error({ err: fault }, 'the VIN decoder failed') })
  const pictures = createPictures({ config, log })
  const printer = createPdfPrinter(config, {
    onFault: (fault) => log.error({ err: fault }, 'an agreement PDF could not be drawn'),
    // Loaded in this thread: the key is created once for all servers, and the printer's thread only
    // parses it.
    findKey: () =>
      shareKeyOf(config, pool, 'seal.p12', async () =>
        (await import('./modules/agreements/seal/seal-key.ts')).generateSealKey(config.publicUrl.host),
      ),
  })
  const deps = { db, pool, config, vins, pictures, printer, log, desk: createDesk(config) }
  return {
    deps,
    close: onClose(async () => {
      await printer.close()
      await pictures.close()
      await vins.close()
    }),
  }
}

/** Serves in this process and returns the port. */
async function serve(
  config: Config,
  log: Log,
  connection: Serving,
  given: { identity: string } | WorkerSettings,
): Promise<number> {
  const isWorker = 'embedded' in given
  const mark = createServingMark(config.dataDir)
  onClose(async () => mark.end())
  const served = { identity: given.identity, onChange: logDatabaseChange(log) }
  const database = openDatabase({ ...connection, max: config.databaseConnections, served })
  onClose(() => withTimeLimit(rollbackGraceMs, database.close()))
  const standbys =
    config.databaseReadUrl === null
      ? null
      : openStandbys({
          address: config.databaseReadUrl,
          primary: { ...connection, connectionString: connection.direct ?? connection.connectionString },
          identity: given.identity,
          max: config.databaseConnections,
          log,
        })
  if (standbys) onClose(() => withTimeLimit(rollbackGraceMs, standbys.close()))
  const traces =
    config.traces && (await import('./platform/telemetry/traces.ts')).createTraces(config.traces, log)
  traces?.watchStatements(database.pool)
  if (traces) onClose(() => withTimeLimit(lastTracesMs, traces.close()))
  const { deps } = openDeps(config, log, database)
  const metrics = hasMetrics(config)
    ? createMetrics((why) =>
        log.warn({ because: describeError(why) }, 'the metrics of the database could not be read'),
      )
    : null
  if (metrics) addStandbyGauges(metrics, standbys)
  const writes = startWriteProbe(database.pool, (state, fault) =>
    state === 'failing'
      ? log.error({ err: fault }, 'the database rejects writes')
      : log.warn('the database accepts writes again'),
  )
  onClose(async () => writes.stop())
  const jobs = await step(startJobRunner(deps, metrics, writes))
  const renderer = await step(
    loadRenderer<CarPages & AgreementPages, FormPages>(new URL('ssr/', buildFolder)),
  )
  const text = metrics && (isWorker ? createAllMetricsRequest(metrics.registry) : metrics.text)
  const app = await step(
    buildApp(deps, pages, {
      health: { jobs: jobs.state, writes: writes.state },
      renderer,
      metrics: metrics && text && { ...metrics, text },
      traces,
      standbys,
      isDraining: isEnding,
    }),
  )
  onClose(() => {
    // No new jobs start; running ones finish while requests do.
    void jobs.stop()
    setTimeout(() => app.server.closeAllConnections(), shutdownGraceMs).unref()
    return app.close()
  })
  if (isWorker) {
    joinCounts()
    answerPings()
  }
  await step(listenOrStartupError(() => app.listen({ host: config.host, port: config.port }), config))
  if (text && !isWorker) await step(listenForMetrics(config, log, text))
  if (mark.isAfterCrash) void publishResync(deps.db)
  drainFor(config.drainMs)
  return (app.server.address() as AddressInfo).port
}

/** Starts the worker processes and returns the port. */
async function startWorkers(
  config: Config,
  log: Log,
  { serves }: Connection,
  identity: string,
): Promise<number> {
  const workerSettings: WorkerSettings = { embedded: config.databaseUrl ? null : serves, identity }
  const aggregated = createMetricsGatherer(config.processes)
  const workers = startWorkerProcesses({
    script: fileURLToPath(import.meta.url),
    size: config.processes,
    settings: workerSettings,
    log,
    onMessage: aggregated.handleMessage,
    onHang: aggregated.countHung,
  })
  extendTimeout(config.drainMs)
  onClose(workers.stop)
  const reopenOwn = reopenLog
  reopenLog = () => {
    reopenOwn()
    workers.signal('SIGUSR2')
  }
  const port = await step(workers.start())
  if (hasMetrics(config)) await step(listenForMetrics(config, log, () => aggregated.text(workers.workers())))
  return port
}

const logDatabaseChange = (log: Log) => (fault: Error | null) =>
  fault
    ? log.error(
        { err: fault },
        'the database was replaced by another one, and requests fail until the original is back',
      )
    : log.warn('the original database is back')

function joinCounts(): void {
  const handleMessage = shareRateLimitCounts((counted) => process.send?.({ counted }))
  process.on('message', ({ counted }: { counted?: CountUpdate }) => counted && handleMessage(counted))
}

async function migrateDatabase(
  config: Config,
  owner: Database,
  database: Database,
): Promise<MigrationResult> {
  const done = await step(migrateOrExit(owner.pool, config))
  const { ran } = done
  if (ran.length > 0) print(`Database migrated (${ran.length} migrations).`)
  if (!config.databaseUrl) await step(createServingRole(owner.pool, defaultServingRole))
  const hint = await step(grantRoleOrStartupError(owner.pool, database.pool, config))
  if (hint) print(hint)
  return done
}

/** The serving role and, where it differs, the owner of the tables. */
type Connection = { serves: Serving; owns: pg.PoolConfig | null }

async function connect(config: Config): Promise<Connection> {
  const { databaseUrl, databaseOwnerUrl, dataDir } = config
  if (databaseUrl)
    return {
      serves: servingOf(config),
      owns: databaseOwnerUrl ? { connectionString: databaseOwnerUrl } : null,
    }
  const ended = new AbortController()
  const opening = startEmbeddedPostgres({ dataDir, onProgress: print, ending: ended.signal })
  onClose(async () => {
    ended.abort()
    await (await withTimeLimit(openingMs, opening))?.stop()
  })
  const embedded = await opening
  void embedded.failed.then((why) => fail(new StartupError(`The database has ended: ${why}`)))
  return { serves: { ...embedded.connection, user: defaultServingRole }, owns: embedded.connection }
}

function servingOf(
  { databaseUrl, databaseDirectUrl }: Config,
  embedded: pg.PoolConfig | null = null,
): Serving {
  return embedded ?? { connectionString: databaseUrl ?? '', direct: databaseDirectUrl ?? undefined }
}

/** Cleanup tasks of the modules above accounts. */
async function cleanModules(db: Db): Promise<void> {
  await deleteOldUnknownVins(db)
  await mergeDealCounts(db)
}

/** Returns whether metrics are configured; otherwise nothing is counted. */
const hasMetrics = ({ metrics }: Config) => metrics.port !== null || metrics.token !== null

/** Adds gauges of this process and of the database. */
function addGauges(
  metrics: Metrics,
  { db, pool, config }: Deps,
  { jobs, writes, retention }: { jobs: Jobs; writes: WriteProbe; retention: readonly RetentionRule[] },
  kinds: readonly string[],
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

function addStandbyGauges(metrics: Metrics, standbys: Standbys | null): void {
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

async function listenForMetrics(
  { metrics: { port, host, token } }: Config,
  log: Log,
  text: () => Promise<string>,
) {
  if (port === null) return
  const server = createMetricsServer(text, token, (fault) =>
    log.error({ err: fault }, 'the metrics could not be read'),
  )
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, resolve)
    })
  await listenOrStartupError(listen, { host, port }, 'METRICS_PORT')
}

async function startJobRunner(deps: Deps, metrics: Metrics | null, writes: WriteProbe): Promise<Jobs> {
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
  if (metrics) addGauges(metrics, deps, { jobs, writes, retention }, Object.keys(tasks))
  onClose(async () => {
    await jobs.stop()
    mail.close()
  })
  return jobs
}

// Without a listener SIGUSR2 would end the process. A log on standard output has nothing to reopen.
process.on('SIGUSR2', () => reopenLog())
// A closed output must not crash the server. A listener also keeps a stalled reader from blocking
// it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

await start(process.env).catch(fail)
