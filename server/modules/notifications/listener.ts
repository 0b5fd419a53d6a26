import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { openSessionClient } from '../../platform/database/connections/primary-clients.ts'
import type { Db } from '../../platform/database/open.ts'
import { atMost } from '../../shared/at-most.ts'
import { channel } from './signal.ts'

export type Listener = {
  /** Opens the connection unless it is open; never rejects: what fails is tried again. */
  start(): Promise<void>
  /** Runs a query on the listening connection, which thereby proves that it is alive; null when it is away. */
  ask<Rows>(query: (db: Db) => Promise<Rows>): Promise<Rows | null>
  stop(): Promise<void>
}
type Heard = {
  signal: (payload: string | undefined) => void
  /** Listening began, for the first time or again: whatever was said before has not been heard. */
  started: () => void
}

/** The one connection of this process that listens; a lost one, or one that no longer answers, is opened again. */
export function openListener(pool: pg.Pool, heard: Heard, log: FastifyBaseLogger): Listener {
  let client: pg.Client | null = null
  let db: Db | null = null
  let opening: Promise<void> | null = null
  let retry: NodeJS.Timeout | undefined
  let asking: NodeJS.Timeout | undefined
  let failures = 0
  let stopped = false

  async function open(): Promise<void> {
    const next = openSessionClient(pool, listening)
    next.on('notification', ({ payload }) => heard.signal(payload))
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      if (stopped) return await next.end()
      client = next
      db = drizzle(next)
      failures = 0
      asking = setInterval(() => void ask((own) => own.execute(sql`select 1`)), askEveryMs).unref()
      heard.started()
    } catch (error) {
      next.end().catch(() => {})
      log.warn({ err: error }, 'server events wait for the database')
      retryLater()
    }
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return
    client = null
    clearInterval(asking)
    lost.end().catch(() => {})
    retryLater()
  }

  function retryLater(): void {
    if (stopped) return
    clearTimeout(retry)
    retry = setTimeout(start, Math.min(250 * 2 ** failures++, longestWaitMs)).unref()
  }

  function start(): Promise<void> {
    if (client || stopped) return Promise.resolve()
    opening ??= open().finally(() => {
      opening = null
    })
    return opening
  }

  async function ask<Rows>(query: (db: Db) => Promise<Rows>): Promise<Rows | null> {
    const asked = client
    try {
      return asked && db ? await query(db) : null
    } catch {
      if (asked) lose(asked)
      return null
    }
  }

  return {
    start,
    ask,
    async stop() {
      stopped = true
      clearTimeout(retry)
      await opening
      clearInterval(asking)
      const last = client
      client = null
      // With a silent network, closing the connection waits as well.
      if (last) await atMost(goodbyeMs, last.end()).catch(() => {})
    },
  }
}

/** Soon enough for open pages, and seldom enough for a database that is away. */
const longestWaitMs = 5_000

/** A connection that only listens does not notice that the network has lost it, so it is asked from time to time. */
const askEveryMs = 5_000
const goodbyeMs = 500

/** Without an answer within these seconds the connection counts as lost. */
const listening = { query_timeout: 3_000, application_name: 'keyturn-server-events' }
