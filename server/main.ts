import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { AgreementPages } from '@keyturn/contract/agreements/verify-page.ts'
import type { CarPages } from '@keyturn/contract/cars/car-pages.ts'
import type pg from 'pg'
import type { Logger as Log } from 'pino'
import { buildApp, type FormPages } from './app.ts'
import { seedDemo } from './commands/seed/seed.ts'
import { type Config, readConfig } from './config.ts'
import { describeOldRules } from './modules/agreements/paperwork/old-rules.ts'
import { publishResync } from './modules/notifications/events/publish-signals.ts'
import { openDatabase, type ConnectionOptions as Serving } from './platform/database/open-database.ts'
import { openStandbys } from './platform/database/standbys/standbys.ts'
import { openLog } from './platform/logging/log.ts'
import { watchLogLevel } from './platform/logging/log-level.ts'
import { loadRenderer } from './platform/pages/renderer.ts'
import { type CountUpdate, shareRateLimitCounts } from './platform/rate-limits/in-memory-limits.ts'
import { startWriteProbe } from './platform/rate-limits/write-probe.ts'
import { createLifetime, rollbackGraceMs, shutdownGraceMs } from './platform/startup/lifetime.ts'
import { createServingMark } from './platform/startup/serving-mark.ts'
import { listenOrStartupError } from './platform/startup/startup-checks.ts'
import { type DemoPerson, welcomeText } from './platform/startup/welcome.ts'
import { answerPings, readWorkerSettings, startWorkerProcesses } from './platform/startup/worker-processes.ts'
import { createAllMetricsRequest, createMetricsGatherer } from './platform/telemetry/gather-metrics.ts'
import { createMetrics } from './platform/telemetry/metrics.ts'
import { createMetricsServer } from './platform/telemetry/serve-metrics.ts'
import { describeError } from './shared/describe-error.ts'
import { print } from './shared/print.ts'
import { withTimeLimit } from './shared/with-time-limit.ts'
import { type Connection, connect, servingOf } from './start/connect.ts'
import { addStandbyGauges } from './start/gauges.ts'
import { startJobRunner } from './start/job-runner.ts'
import { openDeps } from './start/open-deps.ts'
import { prepareDatabase } from './start/prepare-database.ts'

/** In ms, for sending the last spans. */
const lastTracesMs = 500

const buildFolder = new URL(import.meta.url.endsWith('.ts') ? '../dist/' : '../', import.meta.url)
const pages = new URL('web/', buildFolder)

const lifetime = createLifetime()
const { onClose, step, isEnding, drainFor, extendTimeout, fail } = lifetime
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
  const connection = await step(connect(lifetime, first))
  // Opened only now: a second start on the same folder must not touch the first one's log.
  const log = openOwnLog(first)
  const identity = await prepareDatabase(lifetime, first, connection, Object.keys(env))
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

/** Seeds the demo as the owner, because only the owner may set the database's clock. */
async function seedDemoPeople(config: Config, log: Log, { serves, owns }: Connection): Promise<DemoPerson[]> {
  const database = openDatabase({ ...(owns ?? serves), max: 2 })
  const closeDatabase = onClose(() => withTimeLimit(rollbackGraceMs, database.close()))
  const { deps, close } = openDeps(lifetime, config, log, database)
  const people = await step(seedDemo(deps, print))
  await close()
  await closeDatabase()
  return people
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
  const { deps } = openDeps(lifetime, config, log, database)
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
  const jobs = await step(startJobRunner(lifetime, deps, metrics, writes))
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

/** Returns whether metrics are configured; otherwise nothing is counted. */
const hasMetrics = ({ metrics }: Config) => metrics.port !== null || metrics.token !== null

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

// Without a listener SIGUSR2 would end the process. A log on standard output has nothing to reopen.
process.on('SIGUSR2', () => reopenLog())
// A closed output must not crash the server. A listener also keeps a stalled reader from blocking
// it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

await start(process.env).catch(fail)
