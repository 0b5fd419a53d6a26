import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { ServedDatabase } from './connections/identity.ts'
import { closeStandbyConnections, primaryPoolConfig } from './connections/primary-clients.ts'
import { hadNoEffect, isLost, repeatStatements } from './connections/retry.ts'
import { sessionLimits, startupOptions } from './connections/session-limits.ts'
import { isUnanswered, probeIdleConnections } from './lost-connections.ts'

export type Db = NodePgDatabase & { $client: pg.Pool | pg.ClientBase }

export type Database = {
  /** Queries outside of transactions, on any connection of the pool. */
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

/**
 * `direct`: where the same database is reached past the pooler that the address leads to (decision 56). `served`: it is this one, and
 * connections that lead to another are given to nobody (R-everywhere-53).
 */
export type Connection = pg.PoolConfig & { direct?: string | undefined; served?: ServedDatabase | undefined }

/**
 * Time limits keep a slow database from piling up requests: they are answered with 503 instead. The database gives up a
 * statement first; if no answer comes even then, the network has lost the connection, and it is closed.
 */
export function openDatabase({ direct, served, ...connection }: Connection): Database {
  const { statement_timeout = sessionLimits.statement_timeout, ...where } = connection
  const common = {
    max: 10,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    query_timeout: statement_timeout ? statement_timeout + travelMs : 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...where,
  }
  const own = { ...startupOptions(statement_timeout || 0), ...common }
  // A pooler takes none of these: there they are the user's (`limitUser`).
  const pool = new pg.Pool(
    direct
      ? primaryPoolConfig(common, { direct: { ...own, connectionString: direct }, served })
      : primaryPoolConfig(own, { served }),
  )
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // The same for one that breaks while a transaction has it: its next query fails, and only that.
  pool.on('connect', (client) => client.on('error', () => {}))
  probeIdleConnections(pool)
  closeStandbyConnections(pool, (error) => isLost(error) || isUnanswered(error))
  repeatStatements(pool)
  const db = drizzle(pool)
  const ours: Own = { pool, afterwards: new Set() }
  owns.set(db, ours)
  return {
    db,
    pool,
    async close() {
      await Promise.all(ours.afterwards)
      await pool.end()
    },
  }
}

/** For the network, on top of the database's own time limit. */
const travelMs = 1_000

/** `afterwards`: what goes on after commits; closing waits for it. */
type Own = { pool: pg.Pool; afterwards: Set<Promise<void>> }
const owns = new WeakMap<Db, Own>()
const connections = new WeakMap<pg.PoolClient, Db>()

type Act = (db: Db) => Promise<unknown>
/** What each transaction that runs now leaves for after its commit. */
const left = new WeakMap<Db, Act[]>()

/**
 * Does something on a connection of its own once this transaction has committed, whoever fails then; outside of a transaction, at
 * once. Nobody waits for it but who closes the database. False where it is not known when `on` commits: then nothing is done.
 */
export function afterCommit(on: Db, act: Act): boolean {
  const acts = left.get(on)
  if (acts) acts.push(act)
  else if (owns.has(on)) goOn(on, [act])
  else return false
  return true
}

function goOn(db: Db, acts: readonly Act[]): void {
  const afterwards = owns.get(db)?.afterwards
  for (const act of acts) {
    const work: Promise<void> = act(db).then(
      () => void afterwards?.delete(work),
      () => void afterwards?.delete(work),
    )
    afterwards?.add(work)
  }
}

/**
 * What makes a transaction the only one of an `Idempotency-Key` (made by `http/idempotency.ts`): it begins by taking the key,
 * and with its commit it keeps what it answers.
 */
export type Intent = {
  take(): pg.QueryConfig
  keep(answer: unknown): pg.QueryConfig
  /** What it means that one of the two has failed; any other error as it is. */
  faultOf(error: unknown): unknown
  isKept: boolean
}
/** Where a transaction begins: `Deps`, or a part of it. */
type Opening = { db: Db; intent?: Intent | undefined }

/**
 * Runs `work` in one transaction on one connection and commits what it did, or rolls back what it threw.
 * Given a transaction already, it joins it. Where two block each other, the one that the database gave up is run once
 * more, and so is one that lost its connection before its commit was asked for: `work` touches nothing that a rollback would
 * leave behind. Given an intent, what `work` returns is kept as the answer of its key.
 */
export async function transaction<T>(on: Db | Opening, work: (tx: Db) => Promise<T>): Promise<T> {
  const { db, intent }: Opening = 'db' in on ? on : { db: on }
  const pool = owns.get(db)?.pool
  if (!pool) return work(db)
  try {
    return await runOnce(db, pool, work, intent)
  } catch (error) {
    if (!isGivenUp(error) && !hadNoEffect(error) && !undone.has(error as Error)) throw error
    return runOnce(db, pool, work, intent)
  }
}

/** A deadlock, or rows that another transaction was faster to change: rolled back, and likely to succeed at once. */
const givenUpCodes = ['40P01', '40001']

const isGivenUp = (error: unknown): boolean => givenUpCodes.includes(databaseError(error)?.code ?? '')

/** What a transaction failed with that lost its connection before its commit: the database has rolled it back. */
const undone = new WeakSet<Error>()

/** Each connection keeps its own drizzle object, so that queries prepared in a transaction stay prepared for the next one. */
async function runOnce<T>(
  db: Db,
  pool: pg.Pool,
  work: (tx: Db) => Promise<T>,
  intent: Intent | undefined,
): Promise<T> {
  const client = await pool.connect()
  let tx = connections.get(client)
  if (!tx) {
    tx = drizzle(client)
    connections.set(client, tx)
  }
  let broken: Error | undefined
  let hasBegun = false
  let isCommitting = false
  const acts: Act[] = []
  left.set(tx, acts)
  try {
    await client.query(begin)
    hasBegun = true
    if (intent) await client.query(intent.take())
    const result = await work(tx)
    if (intent) await client.query(intent.keep(result))
    isCommitting = true
    const { command } = await client.query(commit)
    // PostgreSQL answers a commit with ROLLBACK where an error inside was caught and not thrown again.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back instead of committed')
    if (intent) intent.isKept = true
    goOn(db, acts)
    return result
  } catch (error) {
    // A rollback would wait behind the query that got no answer; the database rolls back by itself.
    if (isUnanswered(error) || isLost(error)) {
      broken = error as Error
      if (!isCommitting && isLost(error)) undone.add(broken)
      // It may have committed.
      if (isCommitting) goOn(db, acts)
    } else if (hasBegun)
      await client.query('rollback').catch((fault: Error) => {
        broken = fault
      })
    throw intent ? intent.faultOf(error) : error
  } finally {
    left.delete(tx)
    client.release(broken)
  }
}

const begin = { name: 'begin', text: 'begin' }
const commit = { name: 'commit', text: 'commit' }

/** The name of the unique index or constraint that a failed write ran into, or null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const cause = databaseError(error)
  return cause?.code === '23505' ? (cause.constraint ?? '') : null
}

/** Whether what failed did because another request holds the key (`take_key`). */
export const isKeyInUse = (error: unknown): boolean => databaseError(error)?.constraint === 'key_is_in_use'

/** What PostgreSQL said, however it is wrapped. */
function databaseError(error: unknown): pg.DatabaseError | null {
  if (error instanceof pg.DatabaseError) return error
  return error instanceof Error && error.cause ? databaseError(error.cause) : null
}
