import { ApiError } from '@keyturn/contract/shared/error.ts'
import { type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Logger } from 'pino'
import { atMost } from '../../shared/at-most.ts'
import { keepTrying } from '../../shared/keep-trying.ts'
import { reasonOf } from '../../shared/reason-of.ts'
import type { Db } from '../database/open.ts'
import { preparedStatement } from '../database/prepared.ts'
import { inSpan } from '../telemetry/in-span.ts'
import type { JobEnd } from '../telemetry/metrics.ts'
import {
  endJob,
  type Free,
  followClock,
  heldSeconds,
  type Job,
  putBack,
  releaseJobs,
  takeJobs,
} from './job-repository.ts'
import { type Arrive, openWorkerLease } from './worker-lease.ts'

export type Task = {
  /** How many of this kind one start does at once, its processes together. No kind waits for another's places. */
  places: number
  /** What it does is seen outside, and cannot be taken back: it rests while all of that is stopped (`outbound-pause.ts`). */
  goesOut?: true
  /** Does one job. It may be done twice (a process can die between doing and saying so), so twice must do no harm. */
  run(payload: Payload, about: { attempts: number; stopping: AbortSignal }): Promise<Outcome>
}
/**
 * Nothing: it is done. Again: it comes back after a pause. Resting: what this whole kind needs (a mail server) is away;
 * the job keeps its place in the line, and the line waits.
 */
export type Outcome = undefined | { againInMs: number; because?: string } | { resting: true; because: string }
export type Tasks = Record<string, Task>
type Payload = Record<string, unknown>
/**
 * `key`: at most one job of that key; added again, it moves. `at`: a moment that people know, wherever the database's
 * clock steps, and before `inMs`, which is counted from now. Without both: as soon as possible. `dated`: the payload says since
 * when, as `since`.
 */
type When = { key?: string; inMs?: number; at?: Date; dated?: boolean }

/** Adds work to be done after this transaction; nothing is added if it is rolled back. */
export const addJob = (tx: Db, name: string, payload: Payload, when: When = {}): Promise<void> =>
  addJobs(tx, name, [{ payload, ...when }])

/** The same for many in one statement; no two of one key. In the order of their keys, so that two who add the same do not block each other. */
export async function addJobs(
  tx: Db,
  name: string,
  jobs: readonly (When & { payload: Payload })[],
): Promise<void> {
  if (jobs.length > 0) await insertJobs(tx, { name, jobs: JSON.stringify(jobs) })
}

const insertJobs = preparedStatement<{ name: string; jobs: string }>(
  'add-jobs',
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
 * Locks the job of this key until the transaction ends, and says what time it is, if the job still says the same: of two
 * that run it, the second finds it moved.
 */
export async function lockJob(tx: Db, key: string, payload: Payload): Promise<Date | null> {
  const { rows } = await tx.execute<{ now: number }>(sql`
    select floor(extract(epoch from keyturn_now()) * 1000)::float8 as now from jobs
    where key = ${key} and payload = ${JSON.stringify(payload)}::jsonb for update`)
  return rows[0] ? new Date(rows[0].now) : null
}

export async function dropJob(tx: Db, key: string): Promise<void> {
  await tx.execute(sql`delete from jobs where key = ${key}`)
}

/** Whether a job of this key is still to be done, for a query that looks at what it will make. */
export const isPlanned = (key: SQL): SQL<boolean> => sql`exists (select from jobs where jobs.key = ${key})`

type OnJob = (kind: string, end: JobEnd, seconds: number) => void
type JobDeps = {
  db: Db
  pool: pg.Pool
  log: Logger
  /** Of processes on one machine each takes its part of the places. */
  processes?: number
  onJob?: OnJob | undefined
  arrive?: Arrive
}
type JobsState = 'ok' | 'stalled'
export type Jobs = {
  /** Stalled: for some time this process has not been able to look for work. */
  state(): JobsState
  running(): Record<string, number>
  /**
   * Takes nothing more and waits for what is under way: for what is seen outside, so long that it can be told whether it was
   * done, for all else a moment; whoever runs then begins that anew. Asked twice, it is the same end.
   */
  stop(): Promise<void>
}

/** Looks for due jobs every second, of each kind as many as it has places for; several processes share them. */
export function startJobs({ db, pool, log, processes = 1, onJob, arrive }: JobDeps, tasks: Tasks): Jobs {
  const kinds = kindsOf(tasks, processes)
  const inHand = new Map<Job, Promise<void>>()
  const stopping = new AbortController()
  const keeper = openWorkerLease(pool, look, arrive)
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let again = false
  let away = false
  let lastLook = performance.now()
  let ending: Promise<void> | null = null
  let hasLeft = false

  function look(): void {
    if (stopping.signal.aborted) return
    again = true
    clearTimeout(timer)
    looking ??= lookAround().finally(() => {
      looking = null
      if (!stopping.signal.aborted) timer = setTimeout(look, lookEveryMs)
    })
  }

  async function lookAround(): Promise<void> {
    while (again && !stopping.signal.aborted) {
      again = false
      await lookOnce()
    }
  }

  async function lookOnce(): Promise<void> {
    try {
      const own = await keeper.open([...inHand.keys()])
      await releaseJobs(own.db, own.mark, [...inHand.keys()])
      await followClock(own.db)
      const jobs = await takeJobs(own.db, kinds.free(), own.mark)
      if (stopping.signal.aborted) return void (await releaseJobs(own.db, own.mark, [...inHand.keys()]))
      for (const job of jobs) begin(job)
      if (away) log.info('jobs go on')
      away = false
      lastLook = performance.now()
    } catch (error) {
      keeper.drop()
      // Said once, then tried again every second.
      if (!away && !stopping.signal.aborted)
        log.warn({ because: reasonOf(error) }, 'jobs wait for the database')
      away = true
    }
  }

  function begin(job: Job): void {
    const end = kinds.begin(job)
    const work = doJob(
      { db, log, onJob, hasLeft: () => hasLeft && !isOutside(job) },
      tasks[job.name],
      job,
      stopping.signal,
    )
      .then(end)
      .finally(() => {
        inHand.delete(job)
        look()
      })
    inHand.set(job, work)
  }

  async function end(): Promise<void> {
    stopping.abort()
    clearTimeout(timer)
    await atMost(stopMs, endOfAll())
    await keeper.close()
  }

  async function endOfAll(): Promise<void> {
    await looking
    const outside = [...inHand].filter(([job]) => isOutside(job))
    await atMost(briefStopMs, Promise.all(inHand.values()))
    hasLeft = true
    // Whoever runs next need not wait until this process is known to be gone.
    if (inHand.size > outside.length)
      await keeper
        .open([])
        .then((own) => releaseJobs(own.db, own.mark, [...inHand.keys()].filter(isOutside)))
        .catch(() => {})
    await Promise.all(outside.map(([, work]) => work))
  }

  const isOutside = ({ name }: Job): boolean => tasks[name]?.goesOut ?? false

  look()
  return {
    state: () => (performance.now() - lastLook > stalledMs ? 'stalled' : 'ok'),
    running: kinds.running,
    stop: () => {
      ending ??= end()
      return ending
    },
  }
}

/** Does everything that is due now, one after the other: for tests, and for whoever wants no clock in the background. */
export async function doDueJobs({ db, log }: Pick<JobDeps, 'db' | 'log'>, tasks: Tasks): Promise<number> {
  const kinds = kindsOf(tasks)
  const { signal } = new AbortController()
  let done = 0
  await followClock(db)
  for (;;) {
    const jobs = await takeJobs(db, kinds.free(1), null)
    if (jobs.length === 0) return done
    for (const job of jobs) {
      kinds.begin(job)(await doJob({ db, log }, tasks[job.name], job, signal))
      done++
    }
  }
}

/** Which kinds there are, and how many of each may be taken now: at least one, so that no kind waits for another process. */
function kindsOf(tasks: Tasks, processes = 1) {
  const kinds = new Map(
    Object.entries(tasks).map(([name, { places, goesOut = false }]) => [
      name,
      { places: Math.ceil(places / processes), goesOut, running: 0, rests: 0, restsUntil: 0 },
    ]),
  )
  return {
    free(most = Number.POSITIVE_INFINITY): Free[] {
      const now = performance.now()
      return [...kinds].flatMap(([name, kind]) => {
        if (now < kind.restsUntil) return []
        // After a rest one job goes ahead, to see whether the others can follow.
        const places = Math.min(most, kind.rests > 0 ? 1 : kind.places) - kind.running
        return places > 0 ? [{ name, places, goesOut: kind.goesOut }] : []
      })
    },
    running: () => Object.fromEntries([...kinds].map(([name, { running }]) => [name, running])),
    begin({ name }: Job): (outcome: Outcome) => void {
      const kind = kinds.get(name)
      if (!kind) return () => {}
      kind.running++
      return (outcome) => {
        kind.running--
        const now = performance.now()
        if (!outcome || !('resting' in outcome)) kind.rests = 0
        // Jobs that began together and all came to rest count as one rest.
        else if (now >= kind.restsUntil)
          kind.restsUntil = now + Math.min(longestRestMs, pauseMs(++kind.rests))
      }
    },
  }
}

const lookEveryMs = 1000
/** Several looks, and the longest that one may take. */
const stalledMs = 15_000
/** A mail that a server has in full and thinks about is worth waiting for; `main.ts` gives no more than ten seconds. */
const stopMs = 6000
/** What is begun anew loses less than those who wait for the next server. */
const briefStopMs = 1000
/** After failures, in seconds; then hourly, until the task itself gives up. */
const pauses = [10, 30, 120, 600] as const
export const pauseMs = (attempts: number): number => (pauses[attempts - 1] ?? 3600) * 1000
/** The pause of a job that only waits for its turn: a thousand of them must not keep the database busy with asking. */
export const soonMs = (attempts: number): number => Math.min(attempts * 1000, 30_000)
/** Whoever was asked has no place just now; of a job that failed the pauses would grow to an hour. */
export const isBusy = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 503 || error.status === 429)
const longestRestMs = 30_000

/** Up to a fifth longer, so that a thousand that failed together do not come back together. */
export const spread = (ms: number): number => Math.round(ms * (1 + Math.random() / 5))

/** `hasLeft`: it was let go of, and what becomes of it here is not written down. */
type DoDeps = Pick<JobDeps, 'db' | 'log' | 'onJob'> & { hasLeft?: () => boolean }

async function doJob(
  { db, log, onJob, hasLeft }: DoDeps,
  task: Task | undefined,
  job: Job,
  stopping: AbortSignal,
): Promise<Outcome> {
  const began = performance.now()
  const told = await atMost(heldSeconds * 1000, tryJob(log, task, job, stopping))
  onJob?.(job.name, told?.end ?? 'hung', (performance.now() - began) / 1000)
  if (!told) {
    // Another process may have taken the job by now; one that never ends must not keep its place here.
    log.error({ ...idsOf(job), attempts: job.attempts }, 'job hangs')
    return undefined
  }
  const { outcome } = told
  if (hasLeft?.()) return outcome
  // When the database stays away, the job comes back by itself.
  await keepTrying(() => mark(db, job, outcome)).catch((error) => {
    log.warn({ ...idsOf(job), because: reasonOf(error) }, 'job could not be marked')
  })
  return outcome
}

async function tryJob(
  log: Logger,
  task: Task | undefined,
  job: Job,
  stopping: AbortSignal,
): Promise<{ outcome: Outcome; end: JobEnd }> {
  const { attempts } = job
  try {
    const outcome = await inSpan(
      { name: `job ${job.name}`, about: { 'keyturn.deal': dealOf(job) } },
      async () => task?.run(job.payload, { attempts, stopping }),
    )
    return { outcome, end: !outcome ? 'done' : 'resting' in outcome ? 'resting' : 'again' }
  } catch (error) {
    const because = reasonOf(error)
    log.warn({ ...idsOf(job), attempts, because }, 'job failed')
    return { outcome: { againInMs: pauseMs(attempts), because }, end: 'failed' }
  }
}

const idsOf = (job: Job) => ({ job: job.name, deal: dealOf(job) })
const dealOf = ({ payload: { dealId } }: Job) => (typeof dealId === 'string' ? dealId : undefined)

function mark(db: Db, job: Job, outcome: Outcome) {
  if (!outcome) return endJob(db, job)
  const inMs = 'resting' in outcome ? null : outcome.againInMs
  return putBack(db, job, { inMs, because: outcome.because ?? '' })
}
