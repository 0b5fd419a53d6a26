import type pg from 'pg'
import { StartupError } from '../../../startup/start-refusal.ts'
import { newestIncompatible, numberOf } from './kinds.ts'

// Each running server says which steps it knows, with a lock that ends when its connection does (decision 57).

/** With the number of the newest step that a server knows this names its lock. No other kind of lock has such a class. */
const knownClass = 7_165_016
/** Whoever begins or takes a step is alone with it: nobody begins unseen beside a step that they do not know. */
const gate = 7_165_017
/** Of the lock by which every server, of earlier versions too, says that it lives (`jobs/job-repository.ts`). */
const markClass = 7_165_013

/** On the connection that lives as long as this process (R-everywhere-54). A database that was brought further refuses it. */
export async function publishKnownMigrations(client: pg.ClientBase, steps: readonly string[]): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock_shared($1)', [gate])
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  await client.query('select pg_advisory_lock_shared($1, $2)', [knownClass, numberOf(steps.at(-1) ?? '0')])
  await client.query('commit')
  rejectNewerDatabase(
    rows.map(({ name }) => name),
    steps,
  )
}

/** A step that we do not know may have changed the tables that we write to. */
export function rejectNewerDatabase(taken: readonly string[], known: readonly string[]): void {
  const newest = newestIncompatible(taken, known)
  if (newest !== undefined) throw newerDatabaseError(newest)
}

export const newerDatabaseError = (step: string): StartupError =>
  new StartupError(
    `This database was brought up to date by a newer Keyturn: it has taken the step ${step}, which this one does not know. Start the newer one, or restore a backup from before that step.`,
  )

/** Whether another server of this database runs; asked before this one says that it does. */
export async function hasOtherServers(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted and classid::bigint = $1
       and database = (select oid from pg_database where datname = current_database()) limit 1`,
    [markClass],
  )
  return rowCount === 1
}

/** In a transaction: from now until its end nobody begins. Answers how many run that do not know this step. */
export async function countOlder(client: pg.ClientBase, step: string): Promise<number> {
  await client.query('select pg_advisory_xact_lock($1)', [gate])
  const { rows } = await client.query<{ many: number }>(
    `with held as (
       select pid, classid::bigint as class, objid::bigint as number from pg_locks
       where locktype = 'advisory' and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database()))
     select count(distinct pid)::int as many from held
     where class = $1 and not exists (
       select from held as said where said.pid = held.pid and said.class = $2 and said.number >= $3)`,
    [markClass, knownClass, numberOf(step)],
  )
  return rows[0]?.many ?? 0
}
