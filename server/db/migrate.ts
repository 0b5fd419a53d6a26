import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { patiently } from './patiently.ts'

/** Any number will do, as long as no other program on this database takes the same lock. */
const lockNumber = 7_165_011

/**
 * Brings the database up to the present tables: runs each new file of `migrations/` in order, all or nothing.
 * Two servers that start at once wait for each other here. Returns the names of the files it ran.
 */
export async function migrate(pool: pg.Pool, folder: URL): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return patiently(pool, async (client) => {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
    await client.query(
      'create table if not exists migrations (name text primary key, ran_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const known = new Set(rows.map((row) => row.name))
    const fresh = files.filter((name) => !known.has(name))
    for (const name of fresh) {
      await client.query(await readFile(new URL(name, folder), 'utf8'))
      await client.query('insert into migrations (name) values ($1)', [name])
    }
    await client.query('commit')
    return fresh
  })
}
