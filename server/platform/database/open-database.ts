import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { ServedDatabase } from './connections/identity-check.ts'
import { closeStandbyConnections, primaryPoolConfig } from './connections/primary-clients.ts'
import { hadNoEffect, isConnectionLost, retryStatements } from './connections/retry-statements.ts'
import { sessionLimits, startupOptions } from './connections/session-limits.ts'
import { isQueryTimeout, probeIdleConnections } from './lost-connections.ts'

export type Db = NodePgDatabase & { $client: pg.Pool | pg.ClientBase }

export type Database = {
  /** Runs queries outside transactions, on any connection of the pool. */
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

/**
 * `direct`: the address of the same database without the pooler (decision 56). `served`: the
 * expected database; connections to any other database are rejected (R-everywhere-53).
 */
export type ConnectionOptions = pg.PoolConfig & {
  direct?: string | undefined
  served?: ServedDatabase | undefined
  /** Accepts standbys only, at a single host; `transaction` refuses the database. */
  isStandby?: boolean
}

/**
 * Opens a pool whose time limits turn slow queries into 503 responses. The database cancels a
 * statement first; if no response arrives even then, the connection is lost and is closed.
 */
export function openDatabase({
  direct,
  served,
  isStandby = false,
  ...connection
}: ConnectionOptions): Database {
  const { statement_timeout = sessionLimits.statement_timeout, ...where } = connection
  const common = {
    max: 10,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    query_timeout: statement_timeout ? statement_timeout + networkMs : 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...where,
  }
  const options = { ...startupOptions(statement_timeout || 0), ...common }
  // A pooler rejects startup options; there `setUserLimits` sets them on the user.
  const pool = new pg.Pool(
    direct
      ? primaryPoolConfig(common, { direct: { ...options, connectionString: direct }, served })
      : primaryPoolConfig(options, { served, isStandby }),
  )
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', () => {})
  // With a listener, a connection that breaks in a transaction fails only the next query.
  pool.on('connect', (client) => client.on('error', () => {}))
  probeIdleConnections(pool)
  closeStandbyConnections(pool, (error) => isConnectionLost(error) || isQueryTimeout(error))
  retryStatements(pool)
  const db = drizzle(pool)
  const state: PoolState = { pool, isStandby, afterwards: new Set() }
  poolStates.set(db, state)
  return {
    db,
    pool,
    async close() {
      await Promise.all(state.afterwards)
      await pool.end()
    },
  }
}

/** Network time added to the database's own statement timeout. */
const networkMs = 1_000

/** `afterwards`: work that runs after commits; `close` waits for it. */
type PoolState = { pool: pg.Pool; isStandby: boolean; afterwards: Set<Promise<void>> }
const poolStates = new WeakMap<Db, PoolState>()
const connections = new WeakMap<pg.PoolClient, Db>()

type Act = (db: Db) => Promise<unknown>
/** Work that each running transaction has scheduled for after its commit. */
const scheduled = new WeakMap<Db, Act[]>()

/**
 * Runs `act` on the pool after this transaction commits, or immediately outside a transaction.
 * Ignores its errors; only `close` waits for it. Returns false, without running it, for an unknown
 * `on`.
 */
export function afterCommit(on: Db, act: Act): boolean {
  const acts = scheduled.get(on)
  if (acts) acts.push(act)
  else if (poolStates.has(on)) runAfterCommit(on, [act])
  else return false
  return true
}

function runAfterCommit(db: Db, acts: readonly Act[]): void {
  const afterwards = poolStates.get(db)?.afterwards
  for (const act of acts) {
    const work: Promise<void> = act(db).then(
      () => void afterwards?.delete(work),
      () => void afterwards?.delete(work),
    )
    afterwards?.add(work)
  }
}

/**
 * Makes a transaction the only one of an `Idempotency-Key` (see `http/idempotency.ts`). The
 * transaction first claims the key, and stores its response in the same commit.
 */
export type Intent = {
  claim(): pg.QueryConfig
  store(answer: unknown): pg.QueryConfig
  /** Maps an error of `claim` or `store` to the error to throw; returns other errors unchanged. */
  mapError(error: unknown): unknown
  isStored: boolean
}
type Opening = { db: Db; intent?: Intent | undefined }

/**
 * Runs `work` in one transaction, or joins the given one. Retries once after a deadlock, a
 * serialization failure, or a connection lost before the commit was sent, so `work` must have no
 * effects that a rollback does not undo. With an intent, stores the result as the key's response.
 */
export async function transaction<T>(on: Db | Opening, work: (tx: Db) => Promise<T>): Promise<T> {
  const { db, intent }: Opening = 'db' in on ? on : { db: on }
  const state = poolStates.get(db)
  if (!state) return work(db)
  const { pool, isStandby } = state
  if (isStandby) throw new Error('A standby runs no transactions')
  try {
    return await runOnce(db, pool, work, intent)
  } catch (error) {
    if (!isRetryable(error) && !hadNoEffect(error) && !rolledBack.has(error as Error)) throw error
    return runOnce(db, pool, work, intent)
  }
}

/** Deadlock and serialization failure: rolled back, and likely to succeed on a retry. */
const retryableCodes = ['40P01', '40001']

const isRetryable = (error: unknown): boolean => retryableCodes.includes(databaseError(error)?.code ?? '')

/** Errors of transactions that lost their connection before the commit: they are rolled back. */
const rolledBack = new WeakSet<Error>()

/** Reuses one drizzle object per connection, so prepared queries survive the transaction. */
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
  scheduled.set(tx, acts)
  try {
    await client.query(begin)
    hasBegun = true
    if (intent) await client.query(intent.claim())
    const result = await work(tx)
    if (intent) await client.query(intent.store(result))
    isCommitting = true
    const { command } = await client.query(commit)
    // PostgreSQL reports ROLLBACK if an error inside the transaction was caught and not rethrown.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back instead of committed')
    if (intent) intent.isStored = true
    runAfterCommit(db, acts)
    return result
  } catch (error) {
    // A rollback would queue behind the unanswered query; the database rolls back by itself.
    if (isQueryTimeout(error) || isConnectionLost(error)) {
      broken = error as Error
      if (!isCommitting && isConnectionLost(error)) rolledBack.add(broken)
      // The transaction may have committed.
      if (isCommitting) runAfterCommit(db, acts)
    } else if (hasBegun)
      await client.query('rollback').catch((fault: Error) => {
        broken = fault
      })
    throw intent ? intent.mapError(error) : error
  } finally {
    scheduled.delete(tx)
    client.release(broken)
  }
}

const begin = { name: 'begin', text: 'begin' }
const commit = { name: 'commit', text: 'commit' }

/** Returns the unique index or constraint that a write violated, or null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const cause = databaseError(error)
  return cause?.code === '23505' ? (cause.constraint ?? '') : null
}

/** Checks whether another request holds the idempotency key (`take_key`). */
export const isIdempotencyKeyInUse = (error: unknown): boolean =>
  databaseError(error)?.constraint === 'key_is_in_use'

/** Unwraps the PostgreSQL error from any chain of causes. */
export function databaseError(error: unknown): pg.DatabaseError | null {
  if (error instanceof pg.DatabaseError) return error
  return error instanceof Error && error.cause ? databaseError(error.cause) : null
}
