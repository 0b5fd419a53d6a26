import { ApiError } from '@keyturn/contract/shared/error.ts'
import { type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Logger } from 'pino'
import { describeError } from '../../shared/describe-error.ts'
import { retryWrite } from '../../shared/retry-write.ts'
import { withTimeLimit } from '../../shared/with-time-limit.ts'
import type { Db } from '../database/open-database.ts'
import { prepareStatement } from '../database/prepare-query.ts'
import type { JobResult } from '../telemetry/metrics.ts'
import { withSpan } from '../telemetry/with-span.ts'
import {
  adjustToClock,
  claimJobs,
  endJob,
  type FreePlaces,
  type Job,
  leaseSeconds,
  releaseAbandonedJobs,
  requeueJob,
} from './job-repository.ts'
import { createWorkerLease, type OnConnect } from './worker-lease.ts'

export type Task = {
  /** Max concurrent jobs of this kind in all processes of one start. Kinds do not share places. */
  places: number
  /**
   * The effect of the job is external and irreversible: it does not run during an outbound pause
   * (`outbound-pause.ts`).
   */
  isOutbound?: true
  /** Runs one job. Must be idempotent: a process can die after the work and before recording it. */
  run(payload: Payload, about: { attempts: number; stopping: AbortSignal }): Promise<JobOutcome>
}
/**
 * Undefined: done. `againInMs`: run again after a pause. `resting`: a dependency of the whole kind
 * (a mail server) is down; the kind pauses and the job keeps its place in the queue.
 */
export type JobOutcome =
  | undefined
  | { againInMs: number; because?: string }
  | { resting: true; because: string }
export type Tasks = Record<string, Task>
type Payload = Record<string, unknown>
/**
 * `key`: at most one job has it; adding it again reschedules that job. `at`: a fixed time, even
 * when the database's clock steps; takes precedence over `inMs`, which counts from now. Without
 * both: as soon as possible. `dated`: adds the current time to the payload as `since`.
 */
type Schedule = { key?: string; inMs?: number; at?: Date; dated?: boolean }

/** Adds a job that runs only after this transaction commits. */
export const addJob = (tx: Db, name: string, payload: Payload, when: Schedule = {}): Promise<void> =>
  addJobs(tx, name, [{ payload, ...when }])

/**
 * Adds jobs with distinct keys in one statement, ordered by key so that two callers cannot
 * deadlock.
 */
export async function addJobs(
  tx: Db,
  name: string,
  jobs: readonly (Schedule & { payload: Payload })[],
): Promise<void> {
  if (jobs.length > 0) await insertJobs(tx, { name, jobs: JSON.stringify(jobs) })
}

const insertJobs = prepareStatement<{ name: string; jobs: string }>(
  'insert-jobs',
  (p) => sql`
    insert into jobs (name, key, payload, run_at, is_moment)
    select ${p.name}, key, payload || case when dated then jsonb_build_object('since', keyturn_now()) else '{}' end,
      coalesce(at, keyturn_now() + coalesce("inMs", 0) * interval '1 millisecond'), at is not null
    from jsonb_to_recordset(${p.jobs}::jsonb) as job(key text, payload jsonb, "inMs" bigint, at timestamptz, dated boolean)
    order by key
    on conflict (key) do update
      set name = excluded.name, payload = excluded.payload, run_at = excluded.run_at,
        is_moment = excluded.is_moment, attempts = 0, claim = null, held_by = null`,
)

/**
 * Locks the job of this key until the transaction ends and returns the current time. Returns null
 * when the job is gone or its payload changed, as after another process ran and rescheduled it.
 */
export async function lockJob(tx: Db, key: string, payload: Payload): Promise<Date | null> {
  const { rows } = await tx.execute<{ now: number }>(sql`
    select floor(extract(epoch from keyturn_now()) * 1000)::float8 as now from jobs
    where key = ${key} and payload = ${JSON.stringify(payload)}::jsonb for update`)
  return rows[0] ? new Date(rows[0].now) : null
}

export async function deleteJobByKey(tx: Db, key: string): Promise<void> {
  await tx.execute(sql`delete from jobs where key = ${key}`)
}

/** SQL condition: a job with this key is pending. */
export const isJobPlannedSql = (key: SQL): SQL<boolean> =>
  sql`exists (select from jobs where jobs.key = ${key})`

type OnJob = (kind: string, end: JobResult, seconds: number) => void
type JobDeps = {
  db: Db
  pool: pg.Pool
  log: Logger
  /** The processes of one machine divide the places of each kind. */
  processes?: number
  onJob?: OnJob | undefined
  onConnect?: OnConnect
}
type JobsState = 'ok' | 'stalled'
export type Jobs = {
  /** `stalled`: this process has been unable to poll for 15 seconds. */
  state(): JobsState
  running(): Record<string, number>
  /**
   * Claims no more jobs and waits for running ones: up to 6 s for outbound jobs, so that their
   * outcome is known, and 1 s for all other jobs, which the next process runs again. Safe to call
   * twice.
   */
  stop(): Promise<void>
}

/**
 * Polls every second for due jobs, up to each kind's free places; several processes share the jobs.
 */
export function startJobs({ db, pool, log, processes = 1, onJob, onConnect }: JobDeps, tasks: Tasks): Jobs {
  const kinds = openKinds(tasks, processes)
  const running = new Map<Job, Promise<void>>()
  const stopping = new AbortController()
  const lease = createWorkerLease(pool, poll, onConnect)
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | null = null
  let isPollRequested = false
  let isDatabaseDown = false
  let lastPollAt = performance.now()
  let ending: Promise<void> | null = null
  let isReleased = false

  function poll(): void {
    if (stopping.signal.aborted) return
    isPollRequested = true
    clearTimeout(timer)
    polling ??= pollWhileRequested().finally(() => {
      polling = null
      if (!stopping.signal.aborted) timer = setTimeout(poll, pollMs)
    })
  }

  async function pollWhileRequested(): Promise<void> {
    while (isPollRequested && !stopping.signal.aborted) {
      isPollRequested = false
      await pollOnce()
    }
  }

  async function pollOnce(): Promise<void> {
    try {
      const own = await lease.open([...running.keys()])
      await releaseAbandonedJobs(own.db, own.mark, [...running.keys()])
      await adjustToClock(own.db)
      const jobs = await claimJobs(own.db, kinds.free(), own.mark)
      if (stopping.signal.aborted)
        return void (await releaseAbandonedJobs(own.db, own.mark, [...running.keys()]))
      for (const job of jobs) begin(job)
      if (isDatabaseDown) log.info('jobs can reach the database again')
      isDatabaseDown = false
      lastPollAt = performance.now()
    } catch (error) {
      lease.disconnect()
      // Logged once per outage; polling retries every second.
      if (!isDatabaseDown && !stopping.signal.aborted)
        log.warn({ because: describeError(error) }, 'jobs cannot reach the database')
      isDatabaseDown = true
    }
  }

  function begin(job: Job): void {
    const end = kinds.begin(job)
    const work = runJob(
      { db, log, onJob, isReleased: () => isReleased && !isOutboundJob(job) },
      tasks[job.name],
      job,
      stopping.signal,
    )
      .then(end)
      .finally(() => {
        running.delete(job)
        poll()
      })
    running.set(job, work)
  }

  async function end(): Promise<void> {
    stopping.abort()
    clearTimeout(timer)
    await withTimeLimit(stopMs, waitForJobs())
    await lease.close()
  }

  async function waitForJobs(): Promise<void> {
    await polling
    const outboundJobs = [...running].filter(([job]) => isOutboundJob(job))
    await withTimeLimit(briefStopMs, Promise.all(running.values()))
    isReleased = true
    // The next process does not have to wait until this one is known to be dead.
    if (running.size > outboundJobs.length)
      await lease
        .open([])
        .then((own) => releaseAbandonedJobs(own.db, own.mark, [...running.keys()].filter(isOutboundJob)))
        .catch(() => {})
    await Promise.all(outboundJobs.map(([, work]) => work))
  }

  const isOutboundJob = ({ name }: Job): boolean => tasks[name]?.isOutbound ?? false

  poll()
  return {
    state: () => (performance.now() - lastPollAt > stalledMs ? 'stalled' : 'ok'),
    running: kinds.running,
    stop: () => {
      ending ??= end()
      return ending
    },
  }
}

/** Runs all due jobs one at a time, without a background timer. Returns how many ran. */
export async function runDueJobs({ db, log }: Pick<JobDeps, 'db' | 'log'>, tasks: Tasks): Promise<number> {
  const kinds = openKinds(tasks)
  const { signal } = new AbortController()
  let done = 0
  await adjustToClock(db)
  for (;;) {
    const jobs = await claimJobs(db, kinds.free(1), null)
    if (jobs.length === 0) return done
    for (const job of jobs) {
      kinds.begin(job)(await runJob({ db, log }, tasks[job.name], job, signal))
      done++
    }
  }
}

/**
 * Tracks free places of each kind. Each process has at least one, so no kind waits for another
 * process.
 */
function openKinds(tasks: Tasks, processes = 1) {
  const kinds = new Map(
    Object.entries(tasks).map(([name, { places, isOutbound = false }]) => [
      name,
      { places: Math.ceil(places / processes), isOutbound, running: 0, rests: 0, restsUntil: 0 },
    ]),
  )
  return {
    free(max = Number.POSITIVE_INFINITY): FreePlaces[] {
      const now = performance.now()
      return [...kinds].flatMap(([name, kind]) => {
        if (now < kind.restsUntil) return []
        // After a rest a single job runs first, to test whether the dependency is back.
        const places = Math.min(max, kind.rests > 0 ? 1 : kind.places) - kind.running
        return places > 0 ? [{ name, places, isOutbound: kind.isOutbound }] : []
      })
    },
    running: () => Object.fromEntries([...kinds].map(([name, { running }]) => [name, running])),
    begin({ name }: Job): (outcome: JobOutcome) => void {
      const kind = kinds.get(name)
      if (!kind) return () => {}
      kind.running++
      return (outcome) => {
        kind.running--
        const now = performance.now()
        if (!outcome || !('resting' in outcome)) kind.rests = 0
        // Concurrent jobs that all rest count as one rest.
        else if (now >= kind.restsUntil)
          kind.restsUntil = now + Math.min(maxRestMs, retryDelayMs(++kind.rests))
      }
    },
  }
}

const pollMs = 1000
/** Longer than several polls plus the maximum duration of one. */
const stalledMs = 15_000
/** Lets a mail server confirm an email it has received; `main.ts` allows at most ten seconds. */
const stopMs = 6000
/** Short: running such a job again costs less than delaying the next server. */
const briefStopMs = 1000
/** Pauses after failures in seconds; then hourly until the task gives up. */
const pauses = [10, 30, 120, 600] as const
export const retryDelayMs = (attempts: number): number => (pauses[attempts - 1] ?? 3600) * 1000
/**
 * Pause in ms of a job that waits for capacity; grows so that many such jobs do not load the
 * database.
 */
export const busyRetryMs = (attempts: number): number => Math.min(attempts * 1000, 30_000)
/** A busy service should be retried soon; pauses after failures grow to an hour. */
export const isDatabaseBusy = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 503 || error.status === 429)
const maxRestMs = 30_000

/** Adds up to 20 percent, so that jobs that failed together do not retry together. */
export const withJitter = (ms: number): number => Math.round(ms * (1 + Math.random() / 5))

/** `isReleased`: the job was released, so its outcome is not recorded. */
type RunDeps = Pick<JobDeps, 'db' | 'log' | 'onJob'> & { isReleased?: () => boolean }

async function runJob(
  { db, log, onJob, isReleased }: RunDeps,
  task: Task | undefined,
  job: Job,
  stopping: AbortSignal,
): Promise<JobOutcome> {
  const began = performance.now()
  const ended = await withTimeLimit(leaseSeconds * 1000, runTask(log, task, job, stopping))
  onJob?.(job.name, ended?.end ?? 'hung', (performance.now() - began) / 1000)
  if (!ended) {
    // A hung job must free its place; another process may have claimed it already.
    log.error({ ...idsOf(job), attempts: job.attempts }, 'the job exceeded its time limit')
    return undefined
  }
  const { outcome } = ended
  if (isReleased?.()) return outcome
  // If the database stays unavailable, the job becomes due again when its hold expires.
  await retryWrite(() => recordOutcome(db, job, outcome)).catch((error) => {
    log.warn({ ...idsOf(job), because: describeError(error) }, 'the result of the job could not be stored')
  })
  return outcome
}

async function runTask(
  log: Logger,
  task: Task | undefined,
  job: Job,
  stopping: AbortSignal,
): Promise<{ outcome: JobOutcome; end: JobResult }> {
  const { attempts } = job
  try {
    const outcome = await withSpan(
      { name: `job ${job.name}`, about: { 'keyturn.deal': dealOf(job) } },
      async () => task?.run(job.payload, { attempts, stopping }),
    )
    return { outcome, end: !outcome ? 'done' : 'resting' in outcome ? 'resting' : 'again' }
  } catch (error) {
    const because = describeError(error)
    log.warn({ ...idsOf(job), attempts, because }, 'the job failed')
    return { outcome: { againInMs: retryDelayMs(attempts), because }, end: 'failed' }
  }
}

const idsOf = (job: Job) => ({ job: job.name, deal: dealOf(job) })
const dealOf = ({ payload: { dealId } }: Job) => (typeof dealId === 'string' ? dealId : undefined)

function recordOutcome(db: Db, job: Job, outcome: JobOutcome) {
  if (!outcome) return endJob(db, job)
  const inMs = 'resting' in outcome ? null : outcome.againInMs
  return requeueJob(db, job, { inMs, because: outcome.because ?? '' })
}
