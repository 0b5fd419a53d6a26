import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { openSessionClient } from '../../../platform/database/connections/primary-clients.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { withTimeLimit } from '../../../shared/with-time-limit.ts'
import { signalChannel } from './signal.ts'

export type Listener = {
  /** Opens the connection unless it is open; never rejects, and retries failures. */
  start(): Promise<void>
  /** Runs a query on the listening connection, which also checks it; null while disconnected. */
  ask<Rows>(query: (db: Db) => Promise<Rows>): Promise<Rows | null>
  stop(): Promise<void>
}
type ListenerHandlers = {
  signal: (payload: string | undefined) => void
  /** Listening began or resumed: signals sent earlier were not received. */
  started: () => void
}

/** Opens this process's only listening connection, and reopens it after a failure. */
export function createSignalListener(
  pool: pg.Pool,
  handlers: ListenerHandlers,
  log: FastifyBaseLogger,
): Listener {
  let client: pg.Client | null = null
  let db: Db | null = null
  let opening: Promise<void> | null = null
  let retry: NodeJS.Timeout | undefined
  let checkTimer: NodeJS.Timeout | undefined
  let failures = 0
  let isStopped = false

  async function open(): Promise<void> {
    const next = openSessionClient(pool, listening)
    next.on('notification', ({ payload }) => handlers.signal(payload))
    next.on('error', () => handleLoss(next))
    next.on('end', () => handleLoss(next))
    try {
      await next.connect()
      await next.query(`listen ${signalChannel}`)
      if (isStopped) return await next.end()
      client = next
      db = drizzle(next)
      failures = 0
      checkTimer = setInterval(() => void ask((own) => own.execute(sql`select 1`)), checkEveryMs).unref()
      handlers.started()
    } catch (error) {
      next.end().catch(() => {})
      log.warn({ err: error }, 'server events cannot listen to the database')
      retryLater()
    }
  }

  function handleLoss(lost: pg.Client): void {
    if (client !== lost) return
    client = null
    clearInterval(checkTimer)
    lost.end().catch(() => {})
    retryLater()
  }

  function retryLater(): void {
    if (isStopped) return
    clearTimeout(retry)
    retry = setTimeout(start, Math.min(250 * 2 ** failures++, maxRetryMs)).unref()
  }

  function start(): Promise<void> {
    if (client || isStopped) return Promise.resolve()
    opening ??= open().finally(() => {
      opening = null
    })
    return opening
  }

  async function ask<Rows>(query: (db: Db) => Promise<Rows>): Promise<Rows | null> {
    const current = client
    try {
      return current && db ? await query(db) : null
    } catch {
      if (current) handleLoss(current)
      return null
    }
  }

  return {
    start,
    ask,
    async stop() {
      isStopped = true
      clearTimeout(retry)
      await opening
      clearInterval(checkTimer)
      const last = client
      client = null
      // On a dead network, closing the connection does not return either.
      if (last) await withTimeLimit(closeTimeoutMs, last.end()).catch(() => {})
    },
  }
}

/** Keeps open pages current without overloading a database that is unavailable. */
const maxRetryMs = 5_000

/** A connection that only listens does not notice a broken network, so it is checked. */
const checkEveryMs = 5_000
const closeTimeoutMs = 500

/** A connection that does not answer within 3 s counts as lost. */
const listening = { query_timeout: 3_000, application_name: 'keyturn-server-events' }
