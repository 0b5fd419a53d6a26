import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../startup/start-refusal.ts'
import { adoptionSql, formatsMigration, isReplaced, withoutReplaced } from './migrations/online/baseline.ts'
import { indexBeside, makeIndex } from './migrations/online/index-beside.ts'
import { migrationKindOf, migrationsIn } from './migrations/online/kinds.ts'
import { countOlder, newerDatabaseError, rejectNewerDatabase } from './migrations/online/running-servers.ts'
import { withoutTimeouts } from './without-timeouts.ts'

/** The SQL files. A build copies them beside its own files. */
export const migrationsFolder = new URL('./migrations/', import.meta.url)

/** Any number will do, as long as no other program on this database takes the same lock. */
const lockNumber = 7_165_011

export type Migrated = {
  /** The names of the files it ran. */
  ran: string[]
  /** A step that waits, with all of its kind that follow, and why. */
  putOff: { step: string; because: string } | null
}

/**
 * Brings the database up to the present tables: runs each new file of `migrations/` in order, while servers run (decision 57).
 * Two servers that start at once wait for each other here. A database that a newer Keyturn has brought further than older ones can
 * bear is a `StartupError`. `patienceMs`: for older servers that were told to end a moment ago.
 */
export async function migrate(
  pool: pg.Pool,
  folder = migrationsFolder,
  patienceMs = 15_000,
): Promise<Migrated> {
  return withoutTimeouts(pool, async (client) => {
    await refuseOld(client)
    await takeTurn(client)
    const { files, known } = await compare(client, folder)
    rejectNewerDatabase([...known], files)
    const fresh = files.filter((name) => !known.has(name))
    const stops = fresh.filter((name) => migrationKindOf(name) === 'stop')
    const ran = await runTogether(client, folder, stops, patienceMs)
    let putOff: Migrated['putOff'] = null
    for (const step of fresh.filter((name) => migrationKindOf(name) !== 'stop')) {
      if (migrationKindOf(step) === 'after' && putOff) continue
      const because = await runBeside(client, folder, step)
      if (because) putOff = { step, because }
      else ran.push(step)
    }
    return { ran, putOff }
  })
}

/** Statements use what 15 brought: on an older one the first of them would fail with a syntax error that names no reason. */
async function refuseOld(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number; words: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as words`,
  )
  const [server] = rows
  if (server && server.version < oldestVersion)
    throw new StartupError(`PostgreSQL ${server.words} is too old: 15 or newer is needed.`)
}

const oldestVersion = 150_000

/** Asked again and again: a statement that waits for the lock would itself be waited for by an index that is made concurrently. */
async function takeTurn(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      lockNumber,
    ])
    if (rows[0]?.mine) return
    await wait(turnMs)
  }
}

/** Steps of before there were kinds: all or nothing, and beside no server that does not know them. */
async function runTogether(
  client: pg.ClientBase,
  folder: URL,
  steps: string[],
  patienceMs: number,
): Promise<string[]> {
  const newest = steps.at(-1)
  if (newest === undefined) return []
  for (const end = performance.now() + patienceMs; ; await wait(pauseMs)) {
    await client.query('begin')
    const older = await countOlder(client, newest)
    if (older === 0) break
    await client.query('rollback')
    if (performance.now() > end)
      throw new StartupError(`${olderRun(older)}: end them first, ${newest} cannot be taken beside them.`)
  }
  for (const step of steps) await run(client, folder, step)
  await client.query('commit')
  return steps
}

/** Null, or why it waits. Whoever holds a lock that it needs is waited for without holding up others. */
async function runBeside(client: pg.ClientBase, folder: URL, step: string): Promise<string | null> {
  const isAfter = migrationKindOf(step) === 'after'
  const index = indexBeside(await readFile(new URL(step, folder), 'utf8'))
  for (let tries = 1; ; tries++) {
    try {
      if (index) {
        await makeIndex(client, index)
        await note(client, step)
        return null
      }
      await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
      const older = isAfter ? await countOlder(client, step) : 0
      if (older === 0) await run(client, folder, step)
      await client.query('commit')
      return older === 0 ? null : olderRun(older)
    } catch (error) {
      await client.query('rollback')
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      if (isAfter && code === forbidden) return 'it takes the owner of the tables'
      if (!isBusy(code)) throw error
      if (isAfter) return 'the tables are busy'
      if ((index && code === lockTimedOut) || tries === mostTries)
        throw new StartupError(`${step} could not be taken: its tables were busy for a minute.`)
      await wait(pauseMs)
    }
  }
}

/** A lock was not to be had in time, or two waited for each other. */
const isBusy = (code: string | undefined) => code === lockTimedOut || code === '40P01'
const lockTimedOut = '55P03'
const forbidden = '42501'

const olderRun = (many: number) =>
  many === 1
    ? 'An older server of this database is running'
    : `${many} older servers of this database are running`

/** As long as a request of others may wait behind a step that waits itself. */
const lockTimeoutMs = 1_000
const pauseMs = 500
const turnMs = 100
const mostTries = 40

/** In a transaction that has begun, where nobody else is. `only`: no other steps than these, all of which have to be known. */
export async function migrateInside(client: pg.ClientBase, only: readonly string[]): Promise<void> {
  const folder = migrationsFolder
  await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
  const { files, known } = await compare(client, folder)
  const asked = isReplaced(only) ? files.slice(0, 1) : withoutReplaced(only)
  const newest = [...known, ...asked].sort().findLast((name) => !files.includes(name))
  if (newest !== undefined) throw newerDatabaseError(newest)
  for (const step of asked.filter((name) => !known.has(name))) await run(client, folder, step)
}

async function compare(client: pg.ClientBase, folder: URL): Promise<{ files: string[]; known: Set<string> }> {
  // Asked first: who may only serve cannot make tables, not even one that is there.
  const { rows: kept } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  if (!kept[0]?.there)
    await client.query(
      'create table migrations (name text primary key, ran_at timestamptz not null default now())',
    )
  return {
    files: await migrationsIn(folder),
    known: new Set(withoutReplaced(await appliedMigrations(client))),
  }
}

async function run(client: pg.ClientBase, folder: URL, step: string): Promise<void> {
  const text = await readFile(new URL(step, folder), 'utf8')
  // PostgreSQL builds no index concurrently inside a transaction.
  const statements = indexBeside(text)?.statement.replace(/\bconcurrently\b/i, '') ?? text
  await client.query(
    isReplaced(await appliedMigrations(client))
      ? adoptionSql(text, await readFile(new URL(formatsMigration, folder), 'utf8'))
      : statements,
  )
  await note(client, step)
}

const note = (client: pg.ClientBase, step: string) =>
  client.query('insert into migrations (name) values ($1)', [step])

/** The steps that this database has taken. */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}
