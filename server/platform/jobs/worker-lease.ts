import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { withTimeLimit } from '../../shared/with-time-limit.ts'
import { openSessionClient } from '../database/connections/primary-clients.ts'
import type { Db } from '../database/open-database.ts'
import { createLease, type Job, lockLease, renewJobs } from './job-repository.ts'

/** The connection on which this process claims jobs. The lease `mark` ends with the connection. */
type Marked = { db: Db; mark: number }
export type OnConnect = (client: pg.Client) => Promise<void>
export type WorkerLease = {
  /**
   * Opens the connection unless it is open, and claims the running jobs again under the same mark.
   */
  open(running: Job[]): Promise<Marked>
  disconnect(): void
  close(): Promise<void>
}

/**
 * Uses a dedicated connection. The pool would replace it silently and lose the lease, and polling
 * would wait for a connection behind requests.
 */
export function createWorkerLease(
  pool: pg.Pool,
  onLost: () => void,
  onConnect: OnConnect = async () => {},
): WorkerLease {
  let client: pg.Client | null = null
  let marked: Marked | null = null
  let mark: number | null = null

  function disconnect(): void {
    const last = client
    client = null
    marked = null
    last?.end().catch(() => {})
  }

  function lost(which: pg.Client): void {
    if (client !== which) return
    const wasOpen = marked !== null
    disconnect()
    if (wasOpen) onLost()
  }

  return {
    async open(running) {
      if (marked) return marked
      const next = openSessionClient(pool, { application_name: 'keyturn-jobs' })
      next.on('error', () => lost(next))
      next.on('end', () => lost(next))
      client = next
      await next.connect()
      await onConnect(next)
      const db = drizzle(next)
      mark ??= await createLease(db)
      await lockLease(db, mark)
      if (running.length > 0) await renewJobs(db, mark, running)
      marked = { db, mark }
      return marked
    },
    disconnect,
    async close() {
      const last = client
      client = null
      marked = null
      if (last) await withTimeLimit(closeMs, last.end())
    },
  }
}

/** A silently lost connection never confirms its close, so waiting for that must be short. */
const closeMs = 500
