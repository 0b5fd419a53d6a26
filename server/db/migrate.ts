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
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return patiently(pool, async (client) => {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
    // Asked first: who may only serve cannot make tables, not even one that is there.
    const { rows: kept } = await client.query<{ there: boolean }>(
      `select to_regclass('migrations') is not null as there`,
    )
    if (!kept[0]?.there)
      await client.query(
        'create table migrations (name text primary key, ran_at timestamptz not null default now())',
      )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const known = new Set(rows.map((row) => row.name))
    refuseNewer([...known].filter((name) => !files.includes(name)))
    const fresh = files.filter((name) => !known.has(name))
    for (const name of fresh) {
      await client.query(await readFile(new URL(name, folder), 'utf8'))
      await client.query('insert into migrations (name) values ($1)', [name])
    }
    await client.query('commit')
    return fresh
  })
}

/** A migration that we do not know may have changed the tables that we write to. */
function refuseNewer(unknown: string[]): void {
  const newest = unknown.sort().at(-1)
  if (newest === undefined) return
  throw new StartRefusal(
    `This database was brought up to date by a newer Keyturn: it has taken the step ${newest}, which this one does not know. Start the newer one, or restore a backup from before that step.`,
  )
}
