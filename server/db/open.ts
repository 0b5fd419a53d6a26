import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { askRestingOnes, isUnanswered } from './lost-connections.ts'

export type Db = NodePgDatabase

export type Database = {
  /** Queries outside of transactions, on any connection of the pool. */
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

const int8 = 20
pg.types.setTypeParser(int8, Number)

/**
 * Time limits keep a slow database from piling up requests: they are answered with 503 instead. The database gives up a
 * statement first; when not even that is heard, the network has lost the connection, and it is thrown away.
 */
export function openDatabase(connection: pg.PoolConfig): Database {
  const { statement_timeout = 5_000 } = connection
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    statement_timeout,
    query_timeout: statement_timeout ? statement_timeout + travelMs : 0,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...connection,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // The same for one that breaks while a transaction has it: its next query fails, and only that.
  pool.on('connect', (client) => client.on('error', () => {}))
  askRestingOnes(pool)
  const db = drizzle(pool)
  pools.set(db, pool)
  return { db, pool, close: () => pool.end() }
}

/** For a question and its answer on their way. */
const travelMs = 1_000

const pools = new WeakMap<Db, pg.Pool>()
const connections = new WeakMap<pg.PoolClient, Db>()

/**
 * Runs `work` in one transaction on one connection and commits what it did, or rolls back what it threw.
 * Given a transaction already, it joins it. Each connection keeps its own drizzle object, so that queries
 * prepared in a transaction stay prepared for the next one.
 */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const pool = pools.get(db)
  if (!pool) return work(db)
  const client = await pool.connect()
  let tx = connections.get(client)
  if (!tx) {
    tx = drizzle(client)
    connections.set(client, tx)
  }
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(tx)
    await client.query('commit')
    return result
  } catch (error) {
    // A rollback would wait behind the question that nobody answers; the database rolls back by itself.
    if (isUnanswered(error)) broken = error as Error
    else
      await client.query('rollback').catch((fault: Error) => {
        broken = fault
      })
    throw error
  } finally {
    client.release(broken)
  }
}

type Preparable<R> = { prepare(name: string): { execute(values: Record<string, unknown>): Promise<R> } }

/**
 * A query that is built once per connection and prepared under its name: `sql.placeholder('id')` in the query
 * becomes `{ id }` in the call. Unprepared queries cost up to twice as much.
 */
export function prepared<P extends Record<string, unknown>, R>(
  name: string,
  build: (db: Db) => Preparable<R>,
): (db: Db, values: P) => Promise<R> {
  const built = new WeakMap<Db, ReturnType<Preparable<R>['prepare']>>()
  return (db, values) => {
    let query = built.get(db)
    if (!query) {
      query = build(db).prepare(name)
      built.set(db, query)
    }
    return query.execute(values)
  }
}

/** The name of the unique index or constraint that a failed write ran into, or null for any other error. */
export function violated(error: unknown): string | null {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.code === '23505' ? (cause.constraint ?? '') : null
}
