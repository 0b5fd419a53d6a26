import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { AgreementPages } from '@keyturn/contract/agreements/page.ts'
import type { CarPages } from '@keyturn/contract/cars/page.ts'
import type pg from 'pg'
import type { Logger as Log } from 'pino'
import { buildApp, type FormPages } from './app.ts'
import { seedDemo } from './commands/seed/seed.ts'
import { type Config, readConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { openEmbedded } from './integrations/embedded-postgres/open.ts'
import { openVinDecoder } from './integrations/vin-decoder/vin-decoder.ts'
import { saleJobs } from './jobs.ts'
import { accountJobs } from './modules/accounts/actions.ts'
import { agreementEmails } from './modules/agreements/agreement-pdf-store.ts'
import { openPrinter } from './modules/agreements/pdf/pdf-printer.ts'
import { sealFacts } from './modules/agreements/seal/seal-facts.ts'
import { dealPictures } from './modules/agreements/shown-photos.ts'
import { carPictures, deleteOldUnknownVins } from './modules/cars/repository.ts'
import { dealerKeysColumn } from './modules/dealers/dealer-keys.ts'
import { openDesk } from './modules/dealers/desk/desk.ts'
import { dealerEmails } from './modules/dealers/webhook-delivery/dealer-email.ts'
import { countDeals, foldDealCounts } from './modules/deals/dashboards/deal-counts.ts'
import { findResolved, publishResync, pushJobs } from './modules/notifications/actions.ts'
import { tradeJobs, tradePictures } from './modules/trades/actions.ts'
import { backupFacts } from './platform/backup/backup-facts.ts'
import { backupJobs } from './platform/backup/backup-jobs.ts'
import { makeRole, servingRole } from './platform/database/application-role.ts'
import { identityOf } from './platform/database/connections/identity.ts'
import { type Migrated, migrationsFolder } from './platform/database/migrate.ts'
import { migrationsIn } from './platform/database/migrations/online/kinds.ts'
import { publishKnownMigrations } from './platform/database/migrations/online/running-servers.ts'
import { type Database, type Db, openDatabase, type Connection as Serving } from './platform/database/open.ts'
import { withoutTimeouts } from './platform/database/without-timeouts.ts'
import { jobFacts } from './platform/jobs/job-facts.ts'
import { type Jobs, startJobs } from './platform/jobs/jobs.ts'
import { findOutboundPause } from './platform/jobs/outbound-pause.ts'
import type { Arrive } from './platform/jobs/worker-lease.ts'
import { openLog } from './platform/logging/log.ts'
import { followLevel } from './platform/logging/log-level.ts'
import { mailFacts } from './platform/mail/mail-facts.ts'
import { mailJobs } from './platform/mail/mail-jobs.ts'
import { loadRenderer } from './platform/pages/renderer.ts'
import { type Counted, shareCounts } from './platform/rate-limits/in-memory-limits.ts'
import { startWriteProbe, type WriteProbe } from './platform/rate-limits/write-probe.ts'
import { madeSecret } from './platform/startup/data-folder.ts'
import { runDeferredMigrations } from './platform/startup/deferred-migrations.ts'
import { type Closer, graceMs, openLifetime, rollbackMs } from './platform/startup/lifetime.ts'
import { madePushKey } from './platform/startup/push-key.ts'
import { markServing } from './platform/startup/serving-mark.ts'
import { checkSessionSecret } from './platform/startup/session-secret.ts'
import { type SharedKey, shareKey } from './platform/startup/shared-keys.ts'
import { StartupError } from './platform/startup/start-refusal.ts'
import { warnings } from './platform/startup/start-warnings.ts'
import { grantOrExit, limitOrExit, listenOrExit, migrateOrExit } from './platform/startup/startup-checks.ts'
import { type DemoPerson, welcome } from './platform/startup/welcome.ts'
import { answerLeader, openWorkerProcesses, ordersOf } from './platform/startup/worker-processes.ts'
import { openPictures } from './platform/storage/pictures.ts'
import { pictureJobs } from './platform/storage/sweep-pictures.ts'
import { gatherMetrics, textOfAll } from './platform/telemetry/gathering.ts'
import { type Metrics, openMetrics } from './platform/telemetry/metrics.ts'
import { diskFacts, replicationFacts } from './platform/telemetry/operation-facts.ts'
import { openMetricsServer } from './platform/telemetry/serve-metrics.ts'
import { atMost } from './shared/at-most.ts'
import { reasonOf } from './shared/reason-of.ts'

/** In ms, for sending the last spans. */
const lastTracesMs = 500
/** In ms, for a database that is starting, or whose creation is aborted. */
const openingMs = 8_000

const say = (line: string) => process.stdout.write(`${line}\n`)
const built = new URL(import.meta.url.endsWith('.ts') ? '../dist/' : '../', import.meta.url)
const pages = new URL('web/', built)

const backupCommand = new URL(
  import.meta.url.endsWith('.ts') ? './commands/backup.ts' : './backup.js',
  import.meta.url,
)

const { toClose, step, isEnding, drainFor, waitForOthers, fail } = openLifetime()
let reopenLog = () => {}

async function open(env: NodeJS.ProcessEnv): Promise<void> {
  const first = readConfig(env, 'before sharing')
  const orders = ordersOf<Orders>(process.argv)
  if (orders)
    return void (await serve(readConfig(env), openOwnLog(first), servingOf(first, orders.embedded), orders))
  const connection = await step(connect(first))
  // Opened only now: a second start on the same folder must not touch the first one's log.
  const log = openOwnLog(first)
  const identity = await prepare(first, connection)
  const config = readConfig(env)
  const people = config.demo ? await makeDemo(config, log, connection) : []
  const port =
    config.processes > 1
      ? await lead(config, log, connection, identity)
      : await serve(config, log, connection.serves, { identity })
  say(welcome(config, port, people))
}

/**
 * Settings for a worker process: the embedded database's connection, which changes at each start,
 * and its identity.
 */
type Orders = { embedded: pg.PoolConfig | null; identity: string }

function openOwnLog(config: Config): Log {
  const { log, reopen } = openLog(config)
  reopenLog = reopen
  followLevel(log, config.dataDir, config.logLevel)
  return log
}

/**
 * Prepares once for all processes: tables, roles and shared keys. Returns the database's identity.
 */
async function prepare(config: Config, { serves, owns }: Connection): Promise<string> {
  const database = openDatabase({ ...serves, max: 2 })
  const closeDatabase = toClose(() => atMost(rollbackMs, database.close()))
  const owner = owns ? openDatabase({ ...owns, max: 2 }) : database
  const closeOwner = toClose(async () => owner === database || (await atMost(rollbackMs, owner.close())))
  if (config.databaseDirectUrl) await step(limitOrExit(database.pool, config.databaseDirectUrl))
  const { putOff } = await step(bringUpToDate(config, owner, database))
  if (config.databaseUrl && (await step(checkSessionSecret(database.pool, config, [dealerKeysColumn]))))
    say('SESSION_SECRET was rotated. Stored keys are encrypted with the new secret.')
  for (const line of await step(warnings(config, Object.keys(process.env), database.pool))) say(line)
  for (const name of ['evidence-key', 'push-key'] as const)
    await step(shareKeyOf(config, database.pool, name, name === 'push-key' ? madePushKey : madeSecret))
  const stopped = await step(findOutboundPause(database.db))
  if (stopped) say(`No mail, delivery or push leaves (${stopped}) before: npm run restore -- --release`)
  const identity = await step(withoutTimeouts(database.pool, identityOf))
  await closeOwner()
  await closeDatabase()
  const take = () => migrateOnce(config, { ...(owns ?? serves), served: { identity } })
  const stopTaking = runDeferredMigrations({ first: putOff, migrate: take, say })
  toClose(async () => stopTaking())
  return identity
}

async function migrateOnce(config: Config, connection: Serving): Promise<Migrated> {
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
  if (config.sharedKeys.includes(name)) await shareKey({ pool, config, name, make, say })
}

/** Seeds the demo as the owner, because only the owner may set the database's clock. */
async function makeDemo(config: Config, log: Log, { serves, owns }: Connection): Promise<DemoPerson[]> {
  const database = openDatabase({ ...(owns ?? serves), max: 2 })
  const closeDatabase = toClose(() => atMost(rollbackMs, database.close()))
  const { deps, close } = openDeps(config, log, database)
  const people = await step(seedDemo(deps, say))
  await close()
  await closeDatabase()
  return people
}

function openDeps(config: Config, log: Log, { db, pool }: Database): { deps: Deps; close: Closer } {
  const vins = openVinDecoder({ onFault: (fault) => log.error({ err: fault }, 'VIN decoder') })
  const pictures = openPictures({ config, log })
  const printer = openPrinter(config, {
    onFault: (fault) => log.error({ err: fault }, 'agreement PDF'),
    // Loaded here: created once for all servers; the thread parses it.
    findKey: () =>
      shareKeyOf(config, pool, 'seal.p12', async () =>
        (await import('./modules/agreements/seal/seal-key.ts')).madeKey(config.publicUrl.host),
      ),
  })
  const deps = { db, pool, config, vins, pictures, printer, log, desk: openDesk(config) }
  return {
    deps,
    close: toClose(async () => {
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
  told: { identity: string } | Orders,
): Promise<number> {
  const isBeside = 'embedded' in told
  const mark = markServing(config.dataDir)
  toClose(async () => mark.end())
  const served = { identity: told.identity, tell: tellOfDatabase(log) }
  const database = openDatabase({ ...connection, max: config.databaseConnections, served })
  toClose(() => atMost(rollbackMs, database.close()))
  const traces =
    config.traces && (await import('./platform/telemetry/traces.ts')).openTraces(config.traces, log)
  traces?.watchStatements(database.pool)
  if (traces) toClose(() => atMost(lastTracesMs, traces.close()))
  const { deps } = openDeps(config, log, database)
  const metrics = isRead(config)
    ? openMetrics((why) => log.warn({ because: reasonOf(why) }, 'the database does not tell metrics'))
    : null
  const writes = startWriteProbe(database.pool, (state, fault) =>
    state === 'failing'
      ? log.error({ err: fault }, 'the database rejects writes')
      : log.warn('the database accepts writes again'),
  )
  toClose(async () => writes.stop())
  const jobs = await step(startJobRunner(deps, metrics, writes))
  const renderer = await step(loadRenderer<CarPages & AgreementPages, FormPages>(new URL('ssr/', built)))
  const text = metrics && (isBeside ? textOfAll(metrics.registry) : metrics.text)
  const app = await step(
    buildApp(deps, pages, {
      health: { jobs: jobs.state, writes: writes.state },
      renderer,
      metrics: metrics && text && { ...metrics, text },
      traces,
      isDraining: isEnding,
    }),
  )
  toClose(() => {
    // No new jobs start; running ones finish while requests do.
    void jobs.stop()
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref()
    return app.close()
  })
  if (isBeside) {
    countTogether()
    answerLeader()
  }
  await step(listenOrExit(() => app.listen({ host: config.host, port: config.port }), config))
  if (text && !isBeside) await step(letRead(config, log, text))
  if (mark.isAfterCut) void publishResync(deps.db)
  drainFor(config.drainMs)
  return (app.server.address() as AddressInfo).port
}

/** Starts the worker processes and returns the port. */
async function lead(config: Config, log: Log, { serves }: Connection, identity: string): Promise<number> {
  const orders: Orders = { embedded: config.databaseUrl ? null : serves, identity }
  const gathered = gatherMetrics(config.processes)
  const crew = openWorkerProcesses({
    script: fileURLToPath(import.meta.url),
    size: config.processes,
    orders,
    log,
    hear: gathered.hear,
    onHang: gathered.countHung,
  })
  waitForOthers(config.drainMs)
  toClose(crew.stop)
  const reopenOwn = reopenLog
  reopenLog = () => {
    reopenOwn()
    crew.signal('SIGUSR2')
  }
  const port = await step(crew.start())
  if (isRead(config)) await step(letRead(config, log, () => gathered.text(crew.members())))
  return port
}

const tellOfDatabase = (log: Log) => (fault: Error | null) =>
  fault
    ? log.error({ err: fault }, 'the database was replaced by another: requests wait until the first is back')
    : log.warn('the database is the one that this server has begun with again')

function countTogether(): void {
  const hear = shareCounts((counted) => process.send?.({ counted }))
  process.on('message', ({ counted }: { counted?: Counted }) => counted && hear(counted))
}

async function bringUpToDate(config: Config, owner: Database, database: Database): Promise<Migrated> {
  const done = await step(migrateOrExit(owner.pool, config))
  const { ran } = done
  if (ran.length > 0) say(`Database brought up to date (${ran.length} steps).`)
  if (!config.databaseUrl) await step(makeRole(owner.pool, servingRole))
  const hint = await step(grantOrExit(owner.pool, database.pool, config))
  if (hint) say(hint)
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
  const opening = openEmbedded({ dataDir, onProgress: say, ending: ended.signal })
  toClose(async () => {
    ended.abort()
    await (await atMost(openingMs, opening))?.stop()
  })
  const embedded = await opening
  void embedded.failed.then((why) => fail(new StartupError(`The database has ended: ${why}`)))
  return { serves: { ...embedded.connection, user: servingRole }, owns: embedded.connection }
}

function servingOf(
  { databaseUrl, databaseDirectUrl }: Config,
  embedded: pg.PoolConfig | null = null,
): Serving {
  return embedded ?? { connectionString: databaseUrl ?? '', direct: databaseDirectUrl ?? undefined }
}

/** Cleanup tasks of the modules above accounts. */
async function keepTidy(db: Db): Promise<void> {
  await deleteOldUnknownVins(db)
  await foldDealCounts(db)
}

/** Whether metrics are configured; otherwise nothing is counted. */
const isRead = ({ metrics }: Config) => metrics.port !== null || metrics.token !== null

/** Adds gauges of this process and of the database. */
function watch(
  metrics: Metrics,
  { db, pool, config }: Deps,
  { jobs, writes }: { jobs: Jobs; writes: WriteProbe },
  kinds: readonly string[],
): void {
  metrics.watch('keyturn_pool_connections', () => ({
    idle: pool.idleCount,
    busy: pool.totalCount - pool.idleCount,
  }))
  metrics.watch('keyturn_pool_waiting', () => pool.waitingCount)
  metrics.watch('keyturn_pool_size', () => pool.options.max)
  metrics.watch('keyturn_jobs_running', jobs.running)
  metrics.watch('keyturn_jobs_stalled', () => (jobs.state() === 'stalled' ? 1 : 0))
  metrics.watch('keyturn_writes_failing', () => (writes.state() === 'failing' ? 1 : 0))
  metrics.watch('keyturn_draining', () => (isEnding() ? 1 : 0))
  metrics.askOf(() => jobFacts(db, kinds))
  metrics.askOf(() => mailFacts(db))
  metrics.askOf(() => countDeals(db))
  metrics.askOf(() => backupFacts(db))
  metrics.askOf(() => replicationFacts(db))
  metrics.askOf(() => sealFacts(db))
  metrics.askOf(() => diskFacts(config))
}

async function letRead({ metrics: { port, host, token } }: Config, log: Log, text: () => Promise<string>) {
  if (port === null) return
  const server = openMetricsServer(text, token, (fault) => log.error({ err: fault }, 'metrics'))
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, resolve)
    })
  await listenOrExit(listen, { host, port }, 'METRICS_PORT')
}

async function startJobRunner(deps: Deps, metrics: Metrics | null, writes: WriteProbe): Promise<Jobs> {
  const backups = backupJobs(deps, backupCommand)
  toClose(async () => backups.close())
  await step(backups.plan())
  const mail = mailJobs(
    deps,
    { agreement: agreementEmails(deps), delivery: dealerEmails(deps) },
    findResolved,
  )
  const accounts = accountJobs(deps, { cleanAlso: keepTidy })
  const photos = pictureJobs(deps, [carPictures, tradePictures, dealPictures])
  const { db, pool, log, config } = deps
  const tasks = {
    ...mail.tasks,
    ...pushJobs(deps),
    ...accounts,
    ...tradeJobs(deps),
    ...saleJobs(deps),
    ...photos,
    ...backups.tasks,
  }
  const onJob = metrics?.jobEnded
  const steps = await step(migrationsIn(migrationsFolder))
  const arrive: Arrive = (client) =>
    publishKnownMigrations(client, steps).catch((error) => {
      // Never work on a database that belongs to another installation.
      if (error instanceof StartupError) fail(error)
      throw error
    })
  const jobs = startJobs({ db, pool, log, processes: config.processes, onJob, arrive }, tasks)
  if (metrics) watch(metrics, deps, { jobs, writes }, Object.keys(tasks))
  toClose(async () => {
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

await open(process.env).catch(fail)
