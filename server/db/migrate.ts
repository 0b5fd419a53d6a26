import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { StartRefusal } from '../start/start-refusal.ts'
import { patiently } from './patiently.ts'

/** Any number will do, as long as no other program on this database takes the same lock. */
const lockNumber = 7_165_011

/**
 * Brings the database up to the present tables: runs each new file of `migrations/` in order, all or nothing.
 * Two servers that start at once wait for each other here. Returns the names of the files it ran. A database that a
 * newer Keyturn has brought further is a `StartRefusal`.
 */
export async function migrate(pool: pg.Pool, folder: URL): Promise<string[]> {
  return patiently(pool, async (client) => {
    await client.query('begin')
    const fresh = await migrateInside(client, folder)
    await client.query('commit')
    return fresh
  })
}

/** The same in a transaction that has begun. `only`: no other steps than these, all of which have to be known. */
export async function migrateInside(
  client: pg.ClientBase,
  folder: URL,
  only?: readonly string[],
): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  refuseNewer((only ?? []).filter((name) => !files.includes(name)))
  await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
  // Asked first: who may only serve cannot make tables, not even one that is there.
  const { rows: kept } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  if (!kept[0]?.there)
    await client.query(
      'create table migrations (name text primary key, ran_at timestamptz not null default now())',
    )
  const known = new Set(await stepsTaken(client))
  refuseNewer([...known].filter((name) => !files.includes(name)))
  const fresh = files.filter((name) => !known.has(name) && (only?.includes(name) ?? true))
  for (const name of fresh) {
    await client.query(await readFile(new URL(name, folder), 'utf8'))
    await client.query('insert into migrations (name) values ($1)', [name])
  }
  return fresh
}

/** The steps that this database has taken. */
export async function stepsTaken(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}

/** A migration that we do not know may have changed the tables that we write to. */
function refuseNewer(unknown: string[]): void {
  const newest = unknown.sort().at(-1)
  if (newest === undefined) return
  throw new StartRefusal(
    `This database was brought up to date by a newer Keyturn: it has taken the step ${newest}, which this one does not know. Start the newer one, or restore a backup from before that step.`,
  )
}
