import pg from 'pg'
import { fillings } from './fillings.ts'
import { takeIndexes } from './indexes.ts'

type OnDone = (what: string, seconds: number) => void

/**
 * Fills a migrated database in which nobody is yet with so many cars and what belongs to them (`fillings.ts`).
 *
 * Triggers are off, and indexes are made at the end: chains and sums of evidence are not those of real rows, so that
 * `verify-agreements` finds them all changed.
 */
export async function fillWorld(
  ownerUrl: string,
  cars: number,
  onDone: OnDone = () => undefined,
): Promise<void> {
  const pool = new pg.Pool({
    connectionString: ownerUrl,
    // Side by side, as many as a small computer has processors.
    max: 2,
    options:
      '-c session_replication_role=replica -c synchronous_commit=off -c work_mem=256MB -c maintenance_work_mem=1GB -c jit=off',
  })
  /** A table that is emptied in the transaction that fills it is written once: its rows need no log. */
  const isEmpty = async (table: string) => (await pool.query(`select from ${table} limit 1`)).rowCount === 0
  const timed = async (what: string, statement: string) => {
    const client = await pool.connect()
    const began = performance.now()
    try {
      await client.query(statement)
    } finally {
      client.release()
    }
    onDone(what, (performance.now() - began) / 1000)
  }
  try {
    const indexes = await takeIndexes(pool)
    const filled = new Map<string, Promise<void>>()
    for (const { table, fill, after = [] } of fillings(cars)) {
      const before = Promise.all([table, ...after].map((name) => filled.get(name)))
      filled.set(
        table,
        before.then(async () => timed(table, (await isEmpty(table)) ? `truncate ${table}; ${fill}` : fill)),
      )
    }
    await Promise.all(filled.values())
    await Promise.all(indexes.ofTables.map(({ table, remake }) => timed(`indexes of ${table}`, remake)))
    await pool.query(indexes.references)
    await pool.query('vacuum analyze')
  } finally {
    await pool.end()
  }
}
