import type pg from 'pg'
import { StartupError } from '../../../startup/startup-error.ts'
import { migrationNumber, newestIncompatibleMigration } from './migration-kinds.ts'

// Each server publishes its known migrations as a lock that ends with its connection (decision 57).

/** The class of that lock; its object id is the number of the newest known migration. */
const knownClass = 7_165_016
/** Starting servers share this lock; a migration holds it exclusively, so none starts unseen. */
const startLock = 7_165_017
/** The class of the lock that every live server of any version holds (`jobs/job-repository.ts`). */
const markClass = 7_165_013

/**
 * Takes the lock on a connection that lives as long as this process (R-everywhere-54). Throws a
 * `StartupError` if the database has incompatible, unknown migrations.
 */
export async function publishKnownMigrations(client: pg.ClientBase, steps: readonly string[]): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock_shared($1)', [startLock])
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  await client.query('select pg_advisory_lock_shared($1, $2)', [
    knownClass,
    migrationNumber(steps.at(-1) ?? '0'),
  ])
  await client.query('commit')
  rejectNewerDatabase(
    rows.map(({ name }) => name),
    steps,
  )
}

/**
 * Throws a `StartupError` if an unknown migration may have changed tables that this server writes.
 */
export function rejectNewerDatabase(applied: readonly string[], known: readonly string[]): void {
  const newest = newestIncompatibleMigration(applied, known)
  if (newest !== undefined) throw newerDatabaseError(newest)
}

export const newerDatabaseError = (step: string): StartupError =>
  new StartupError(
    `A newer Keyturn migrated this database: this version does not know the migration ${step}. Start the newer version, or restore a backup from before that migration.`,
  )

/** Checks whether another server runs; must be called before this one takes its own lock. */
export async function hasOtherServers(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted and classid::bigint = $1
       and database = (select oid from pg_database where datname = current_database()) limit 1`,
    [markClass],
  )
  return rowCount === 1
}

/** Counts servers that do not know this migration. None can start until the transaction ends. */
export async function countOlderServers(client: pg.ClientBase, step: string): Promise<number> {
  await client.query('select pg_advisory_xact_lock($1)', [startLock])
  const { rows } = await client.query<{ many: number }>(
    `with held as (
       select pid, classid::bigint as class, objid::bigint as number from pg_locks
       where locktype = 'advisory' and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database()))
     select count(distinct pid)::int as many from held
     where class = $1 and not exists (
       select from held as said where said.pid = held.pid and said.class = $2 and said.number >= $3)`,
    [markClass, knownClass, migrationNumber(step)],
  )
  return rows[0]?.many ?? 0
}
