import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { atMost } from './at-most.ts'
import type { Db } from './db/open.ts'

/**
 * Does one job, and may ask to be done again. It may be done twice (a process can die between doing and saying so), so
 * twice must do no harm.
 */
export type Task = (payload: Payload, attempts: number) => Promise<undefined | { againInMs: number }>
export type Tasks = Record<string, Task>
export type Payload = Record<string, unknown>
/** `key`: at most one job of that key; added again, it moves. Without `inMs` or `at`: as soon as possible. */
type When = { key?: string; inMs?: number; at?: Date }

/** Adds work to be done after this transaction; nothing is added if it is rolled back. */
export async function addJob(tx: Db, name: string, payload: Payload, when: When = {}): Promise<void> {
  const runAt = when.at
    ? sql`${when.at.toISOString()}::timestamptz`
    : sql`keyturn_now() + ${when.inMs ?? 0}::int * interval '1 millisecond'`
  await tx.execute(sql`
    insert into jobs (name, key, payload, run_at)
    values (${name}, ${when.key ?? null}, ${JSON.stringify(payload)}::jsonb, ${runAt})
    on conflict (key) do update
      set name = excluded.name, payload = excluded.payload, run_at = excluded.run_at, attempts = 0, claim = null`)
}

export async function dropJob(tx: Db, key: string): Promise<void> {
  await tx.execute(sql`delete from jobs where key = ${key}`)
}

type JobDeps = { db: Db; log: FastifyBaseLogger }
export type Jobs = {
  /** Waits for what is under way, but not for what hangs: that comes back by its claim, to whoever runs then. */
  stop(): Promise<void>
}

/** Looks for due jobs every second and does up to four at once; several processes share them. */
export function startJobs(deps: JobDeps, tasks: Tasks): Jobs {
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let stopped = false
  let away = false

  async function look() {
    if (looking || stopped) return
    looking = true
    clearTimeout(timer)
    try {
      while (running.size < atOnce && !stopped) {
        const job = await takeJob(deps.db, tasks)
        if (!job) break
        const work = doJob(deps, tasks, job).finally(() => {
          running.delete(work)
          void look()
        })
        running.add(work)
      }
      away = false
    } catch (error) {
      // The database is away: said once, then tried again every second.
      if (!away && !stopped) deps.log.warn({ because: reasonOf(error) }, 'jobs wait for the database')
      away = true
    }
    looking = false
    if (!stopped) timer = setTimeout(() => void look(), lookEveryMs)
  }

  void look()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await atMost(stopMs, Promise.all(running))
    },
  }
}

/** Does everything that is due now, one after the other: for tests, and for whoever wants no clock in the background. */
export async function doDueJobs(deps: JobDeps, tasks: Tasks): Promise<number> {
  let done = 0
  for (let job = await takeJob(deps.db, tasks); job; job = await takeJob(deps.db, tasks)) {
    await doJob(deps, tasks, job)
    done++
  }
  return done
}

type Job = { id: number; name: string; payload: Payload; attempts: number; claim: number }

const atOnce = 4
const lookEveryMs = 1000
/** A mail server that keeps silent may hold a job far longer than whoever stops us waits. */
const stopMs = 2500
/** Longer than any task takes. A process that died leaves its job to others after this time. */
const heldSeconds = 120
/** After failures, in seconds; then hourly, until the task itself gives up. */
const pauses = [10, 30, 120, 600] as const
export const pauseMs = (attempts: number): number => (pauses[attempts - 1] ?? 3600) * 1000

async function takeJob(db: Db, tasks: Tasks): Promise<Job | undefined> {
  const { rows } = await db.execute<Job>(sql`
    update jobs set
      run_at = keyturn_now() + ${heldSeconds}::int * interval '1 second',
      attempts = attempts + 1,
      claim = nextval('row_versions')
    where id = (
      select id from jobs where run_at <= keyturn_now() and name = any(${sql.param(Object.keys(tasks))}::text[])
      order by run_at, id limit 1 for update skip locked
    )
    returning id, name, payload, attempts, claim`)
  return rows[0]
}

async function doJob({ db, log }: JobDeps, tasks: Tasks, job: Job): Promise<void> {
  let again: { inMs: number; because: string } | null = null
  try {
    const asked = await tasks[job.name]?.(job.payload, job.attempts)
    if (asked) again = { inMs: asked.againInMs, because: '' }
  } catch (error) {
    const because = reasonOf(error)
    log.warn({ job: job.name, attempts: job.attempts, because }, 'job failed')
    again = { inMs: pauseMs(job.attempts), because }
  }
  // When the database is away now, the job comes back by itself once its time is over.
  await (again ? putBack(db, job, again) : endJob(db, job)).catch((error) => {
    log.warn({ job: job.name, because: reasonOf(error) }, 'job could not be marked')
  })
}

/** The first cause only: what wraps a database error quotes the values of the query, letters and codes among them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? reasonOf(error.cause) : error.message
}

const endJob = (db: Db, job: Job) =>
  db.execute(sql`delete from jobs where id = ${job.id} and claim = ${job.claim}`)

const putBack = (db: Db, job: Job, { inMs, because }: { inMs: number; because: string }) =>
  db.execute(sql`
    update jobs set run_at = keyturn_now() + ${inMs}::int * interval '1 millisecond', failed_because = ${because}
    where id = ${job.id} and claim = ${job.claim}`)
