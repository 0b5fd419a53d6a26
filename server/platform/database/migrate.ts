import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../startup/startup-error.ts'
import {
  adoptionSql,
  dropReplacedMigrations,
  formatsMigration,
  wasCreatedBeforeBaseline,
} from './migrations/online/baseline.ts'
import { createIndex, parseConcurrentIndex } from './migrations/online/concurrent-index.ts'
import { listMigrations, migrationKindOf } from './migrations/online/migration-kinds.ts'
import {
  countOlderServers,
  newerDatabaseError,
  rejectNewerDatabase,
} from './migrations/online/running-servers.ts'
import { withoutTimeouts } from './without-timeouts.ts'

/** The SQL files; a build copies them next to its output. */
export const migrationsFolder = new URL('./migrations/', import.meta.url)

/** An arbitrary number that no other program on this database may lock. */
const lockNumber = 7_165_011

export type MigrationResult = {
  /** The names of the files that ran. */
  ran: string[]
  /** The first deferred migration and the reason; later `after` migrations are deferred too. */
  deferred: { step: string; because: string } | null
}

/**
 * Runs each new file of `migrations/` in order, while servers run (decision 57). Only one server
 * migrates at a time. Throws a `StartupError` if a newer Keyturn made the database incompatible.
 * `patienceMs`: how long to wait for older servers that are shutting down.
 */
export async function migrate(
  pool: pg.Pool,
  folder = migrationsFolder,
  patienceMs = 15_000,
): Promise<MigrationResult> {
  return withoutTimeouts(pool, async (client) => {
    await requireMinimumVersion(client)
    await acquireLock(client)
    const { files, known } = await readState(client, folder)
    rejectNewerDatabase([...known], files)
    const pending = files.filter((name) => !known.has(name))
    const stops = pending.filter((name) => migrationKindOf(name) === 'stop')
    const ran = await runStopMigrations(client, folder, stops, patienceMs)
    let deferred: MigrationResult['deferred'] = null
    for (const step of pending.filter((name) => migrationKindOf(name) !== 'stop')) {
      if (migrationKindOf(step) === 'after' && deferred) continue
      const because = await runOnline(client, folder, step)
      if (because) deferred = { step, because }
      else ran.push(step)
    }
    return { ran, deferred }
  })
}

/** The SQL needs PostgreSQL 15; an older server would fail with an unclear syntax error. */
async function requireMinimumVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number; text: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as text`,
  )
  const [server] = rows
  if (server && server.version < minVersion)
    throw new StartupError(`PostgreSQL ${server.text} is too old: 15 or newer is needed.`)
}

const minVersion = 150_000

/** Polls, because `create index concurrently` would wait for a statement waiting for the lock. */
async function acquireLock(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      lockNumber,
    ])
    if (rows[0]?.mine) return
    await wait(lockPollMs)
  }
}

/** Runs the `stop` migrations in one transaction, once no server runs that does not know them. */
async function runStopMigrations(
  client: pg.ClientBase,
  folder: URL,
  steps: string[],
  patienceMs: number,
): Promise<string[]> {
  const newest = steps.at(-1)
  if (newest === undefined) return []
  for (const end = performance.now() + patienceMs; ; await wait(pauseMs)) {
    await client.query('begin')
    const older = await countOlderServers(client, newest)
    if (older === 0) break
    await client.query('rollback')
    if (performance.now() > end)
      throw new StartupError(
        `${olderServersMessage(older)}: end them first, ${newest} cannot run while they do.`,
      )
  }
  for (const step of steps) await run(client, folder, step)
  await client.query('commit')
  return steps
}

/** Runs one migration online. Returns null, or the reason why it is deferred. */
async function runOnline(client: pg.ClientBase, folder: URL, step: string): Promise<string | null> {
  const isAfter = migrationKindOf(step) === 'after'
  const index = parseConcurrentIndex(await readFile(new URL(step, folder), 'utf8'))
  for (let tries = 1; ; tries++) {
    try {
      if (index) {
        await createIndex(client, index)
        await recordMigration(client, step)
        return null
      }
      await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
      const older = isAfter ? await countOlderServers(client, step) : 0
      if (older === 0) await run(client, folder, step)
      await client.query('commit')
      return older === 0 ? null : olderServersMessage(older)
    } catch (error) {
      await client.query('rollback')
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      if (isAfter && code === forbidden) return 'only the owner of the tables can run it'
      if (!isBusy(code)) throw error
      if (isAfter) return 'the tables are busy'
      if ((index && code === lockTimedOut) || tries === maxTries)
        throw new StartupError(`${step} could not run: its tables were busy for a minute.`)
      await wait(pauseMs)
    }
  }
}

/** A lock timeout or a deadlock. */
const isBusy = (code: string | undefined) => code === lockTimedOut || code === '40P01'
const lockTimedOut = '55P03'
const forbidden = '42501'

const olderServersMessage = (many: number) =>
  many === 1
    ? 'An older server of this database is running'
    : `${many} older servers of this database are running`

/** The longest time that requests may queue behind a migration that waits for a lock. */
const lockTimeoutMs = 1_000
const pauseMs = 500
const lockPollMs = 100
const maxTries = 40

/** Runs only these migrations, in the caller's transaction. Throws if one of them is unknown. */
export async function applyMigrations(client: pg.ClientBase, only: readonly string[]): Promise<void> {
  const folder = migrationsFolder
  await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
  const { files, known } = await readState(client, folder)
  const requested = wasCreatedBeforeBaseline(only) ? files.slice(0, 1) : dropReplacedMigrations(only)
  const newest = [...known, ...requested].sort().findLast((name) => !files.includes(name))
  if (newest !== undefined) throw newerDatabaseError(newest)
  for (const step of requested.filter((name) => !known.has(name))) await run(client, folder, step)
}

async function readState(
  client: pg.ClientBase,
  folder: URL,
): Promise<{ files: string[]; known: Set<string> }> {
  // The serving role is not allowed to run `create table if not exists`, even if the table exists.
  const { rows: existing } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  if (!existing[0]?.there)
    await client.query(
      'create table migrations (name text primary key, ran_at timestamptz not null default now())',
    )
  return {
    files: await listMigrations(folder),
    known: new Set(dropReplacedMigrations(await listAppliedMigrations(client))),
  }
}

async function run(client: pg.ClientBase, folder: URL, step: string): Promise<void> {
  const text = await readFile(new URL(step, folder), 'utf8')
  // PostgreSQL cannot build an index concurrently in a transaction.
  const statements = parseConcurrentIndex(text)?.statement.replace(/\bconcurrently\b/i, '') ?? text
  await client.query(
    wasCreatedBeforeBaseline(await listAppliedMigrations(client))
      ? adoptionSql(text, await readFile(new URL(formatsMigration, folder), 'utf8'))
      : statements,
  )
  await recordMigration(client, step)
}

const recordMigration = (client: pg.ClientBase, step: string) =>
  client.query('insert into migrations (name) values ($1)', [step])

export async function listAppliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}
