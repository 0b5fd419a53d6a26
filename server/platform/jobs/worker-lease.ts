import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { atMost } from '../../shared/at-most.ts'
import { openSessionClient } from '../database/connections/primary-clients.ts'
import type { Db } from '../database/open.ts'
import { type Job, keepJobs, newLease, setLease } from './job-repository.ts'

/** The connection on which this process takes its jobs. It carries the process's mark, and both end together. */
type Marked = { db: Db; mark: number }
export type Arrive = (client: pg.Client) => Promise<void>
export type WorkerLease = {
  /** Opens the connection unless it is open; what is in hand is then taken back under the same mark. */
  open(inHand: Job[]): Promise<Marked>
  drop(): void
  close(): Promise<void>
}

/**
 * A connection of its own and not the pool's: the pool would replace it, and lose the mark, without
 * telling us; and looking for work must not wait for a connection behind requests.
 */
export function openWorkerLease(
  pool: pg.Pool,
  onLost: () => void,
  arrive: Arrive = async () => {},
): WorkerLease {
  let client: pg.Client | null = null
  let marked: Marked | null = null
  let mark: number | null = null

  function drop(): void {
    const last = client
    client = null
    marked = null
    last?.end().catch(() => {})
  }

  function lost(which: pg.Client): void {
    if (client !== which) return
    const wasOpen = marked !== null
    drop()
    if (wasOpen) onLost()
  }

  return {
    async open(inHand) {
      if (marked) return marked
      const next = openSessionClient(pool, { application_name: 'keyturn-jobs' })
      next.on('error', () => lost(next))
      next.on('end', () => lost(next))
      client = next
      await next.connect()
      await arrive(next)
      const db = drizzle(next)
      mark ??= await newLease(db)
      await setLease(db, mark)
      if (inHand.length > 0) await keepJobs(db, mark, inHand)
      marked = { db, mark }
      return marked
    },
    drop,
    async close() {
      const last = client
      client = null
      marked = null
      if (last) await atMost(closeMs, last.end())
    },
  }
}

/** A connection that was lost silently does not answer the goodbye either, so closing it must not take long. */
const closeMs = 500
