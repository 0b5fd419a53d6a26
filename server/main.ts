import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { accountJobs } from './accounts/actions.ts'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { openEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { dealJobs } from './deals/actions.ts'
import type { Deps } from './deps.ts'
import { startJobs } from './jobs.ts'
import { openLog } from './log.ts'
import { openVinDecoder } from './outside/vin-decoder.ts'
import { seedDemo } from './seed.ts'
import { StartRefusal } from './start-refusal.ts'
import { tradeJobs } from './trades/actions.ts'
import { welcome } from './welcome.ts'

/** For requests that are under way when the end is asked for. */
const graceMs = 3_000
/** Longer than any request may take; who is still not done then is cut off. */
const patienceMs = 10_000

const say = (line: string) => process.stdout.write(`${line}\n`)
// The bundle lies in dist/server, the sources in server: migrations are beside both, the pages are not.
const migrations = new URL('./db/migrations/', import.meta.url)
const pages = new URL(import.meta.url.endsWith('.ts') ? '../dist/web/' : '../web/', import.meta.url)

type Closer = () => Promise<unknown>
/** What was opened, closed in the opposite order. */
const closers: Closer[] = []

async function close(): Promise<void> {
  for (const closer of closers.splice(0).reverse()) await closer().catch(() => {})
}

async function open(config: Config): Promise<void> {
  const connection = await connect(config)
  // Not before: a second start on the same folder must leave the first one's log alone.
  const log = openLog(config)
  const database = openDatabase(connection)
  closers.push(database.close)
  await migrateOrRefuse(database.pool, config)
  const vins = openVinDecoder({ onFault: (fault) => log.error({ err: fault }, 'VIN decoder') })
  closers.push(() => vins.close())
  const deps: Deps = { db: database.db, pool: database.pool, config, vins, log }
  await startJobRunner(deps)
  const app = await buildApp(deps, pages)
  closers.push(() => {
    // A connection that a browser opened ahead and never used would hold the end up for as long as it likes.
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref()
    return app.close()
  })
  const people = config.demo ? await seedDemo(deps, say) : []
  await listen(() => app.listen({ host: config.host, port: config.port }), config)
  const { port } = app.server.address() as AddressInfo
  say(welcome(config, port, people))
}

async function connect(config: Config): Promise<pg.PoolConfig> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  const embedded = await openEmbedded({ dataDir: config.dataDir, onProgress: say })
  closers.push(embedded.stop)
  void embedded.failed.then(async (why) => {
    say(`The database has ended: ${why}`)
    await close()
    process.exit(1)
  })
  return embedded.connection
}

async function migrateOrRefuse(pool: pg.Pool, config: Config): Promise<void> {
  try {
    const ran = await migrate(pool, migrations)
    if (ran.length > 0) say(`Database brought up to date (${ran.length} steps).`)
  } catch (error) {
    if (!config.databaseUrl) throw error
    const { host, pathname } = new URL(config.databaseUrl)
    throw new StartRefusal(`The database ${host}${pathname} cannot be used: ${reasonOf(error)}`)
  }
}

/** A host with several addresses fails once per address, and the whole has no message of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? reasonOf(error.errors[0]) : (error as Error).message

async function startJobRunner(deps: Deps): Promise<void> {
  const accounts = accountJobs(deps)
  const jobs = startJobs(deps, { ...accounts.tasks, ...tradeJobs(deps), ...dealJobs(deps) })
  closers.push(async () => {
    await jobs.stop()
    accounts.close()
  })
}

async function listen(start: () => Promise<unknown>, config: Config): Promise<void> {
  try {
    await start()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartRefusal(
        `Port ${config.port} on ${config.host} is taken by another program. Set PORT to a free one.`,
      )
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new StartRefusal(`Keyturn cannot listen on ${config.host}:${config.port}: ${message}`)
    throw error
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    setTimeout(() => process.exit(1), patienceMs).unref()
    void close().then(() => process.exit(0))
  })

try {
  await open(readConfig(process.env))
} catch (error) {
  await close()
  if (!(error instanceof StartRefusal)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
