import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../database/open-database.ts'
import { prepareStatement } from '../database/prepare-query.ts'

export type Job = {
  id: number
  name: string
  payload: Record<string, unknown>
  attempts: number
  /** Changes with each claim; only the latest claim may end the job. */
  claim: number
  /** The time at which it became due: its place in the queue. */
  dueAt: string
}
export type FreePlaces = { name: string; places: number; isOutbound?: boolean }

/** Longer than any task takes. A job that its holder does not end is due again after this time. */
export const leaseSeconds = 120
/** A live process that lost its connection has this long to renew its lease and keep its jobs. */
const reconnectSeconds = 5
/** Class of the advisory locks on lease marks. A held lock means that the process is alive. */
export const leaseLockClass = 7_165_013

const leaseEnd = sql`keyturn_now() + ${leaseSeconds}::int * interval '1 second'`

/** Claims due jobs, oldest first, up to the free places of each kind. Skips paused outbound kinds. */
export const claimJobs = (db: Db, free: FreePlaces[], mark: number | null): Promise<Job[]> =>
  claimStatement(db, {
    names: free.map(({ name }) => name),
    places: free.map(({ places }) => places),
    goOut: free.map(({ isOutbound = false }) => isOutbound),
    mark,
  })

type ClaimValues = { names: string[]; places: number[]; goOut: boolean[]; mark: number | null }
const claimStatement = prepareStatement<ClaimValues, Job>(
  'claim-jobs',
  (p) => sql`
    with due as materialized (
      select job.id, job.run_at
      from unnest(${p.names}::text[], ${p.places}::int[], ${p.goOut}::bool[])
        as kind (name, places, goes_out)
      cross join lateral (
        select id, run_at from jobs where jobs.name = kind.name and run_at <= keyturn_now()
          and not (kind.goes_out and exists (select from outgoing_stops where ended_at is null))
        order by run_at, id limit kind.places for update skip locked
      ) as job
    ), taken as (
      update jobs set run_at = ${leaseEnd}, attempts = attempts + 1, claim = nextval('row_versions'),
        held_by = ${p.mark}::int, is_moment = false
      from due where jobs.id = due.id
      returning jobs.id, name, payload, attempts, claim, due.run_at as due_at
    )
    select id, name, payload, attempts, claim, due_at::text as "dueAt" from taken order by due_at, id`,
)

/** After the clock steps back, restarts relative waits from now with their original length. */
export const adjustToClock = (db: Db) => adjustStatement(db, {})
const adjustStatement = prepareStatement<Record<string, never>>(
  'adjust-jobs-to-clock',
  () => sql`
    update jobs set run_at = keyturn_now() + greatest(run_at - counted_from, interval '0')
    where id in (
      select id from jobs where not is_moment and counted_from > keyturn_now() + interval '10 seconds'
      for update skip locked)`,
)

export const endJob = (db: Db, { id, claim }: Job) => deleteJob(db, { id, claim })
const deleteJob = prepareStatement<{ id: number; claim: number }>(
  'delete-job',
  (p) => sql`delete from jobs where id = ${p.id} and claim = ${p.claim}`,
)

/** `inMs` null: the job returns to its previous place in the queue. */
export const requeueJob = (db: Db, { id, claim, dueAt }: Job, { inMs, because }: Return) =>
  updateReturned(db, { id, claim, dueAt, inMs, because })

type Return = { inMs: number | null; because: string }
const updateReturned = prepareStatement<Pick<Job, 'id' | 'claim' | 'dueAt'> & Return>(
  'return-job',
  (p) => sql`
    update jobs set
      run_at = coalesce(keyturn_now() + ${p.inMs}::int * interval '1 millisecond', ${p.dueAt}::timestamptz),
      failed_because = ${p.because}, claim = null, held_by = null
    where id = ${p.id} and claim = ${p.claim}`,
)

/**
 * Releases jobs that nobody runs: those of dead processes, and those this process claimed in a
 * statement whose response was lost.
 */
export const releaseAbandonedJobs = (db: Db, mark: number, running: Job[]) =>
  releaseStatement(db, { mark, claims: running.map(({ claim }) => claim) })
const releaseStatement = prepareStatement<{ mark: number; claims: number[] }>(
  'release-jobs',
  (p) => sql`
    update jobs set held_by = null, run_at = least(run_at,
      keyturn_now() + case when held_by = ${p.mark}::int then 0 else ${reconnectSeconds} end * interval '1 second')
    where id in (
      select id from jobs where held_by is not null and case when held_by = ${p.mark}::int
        then claim <> all(${p.claims}::bigint[])
        else held_by not in (
          select objid::int from pg_locks
          where classid = ${leaseLockClass} and objsubid = 2
            and database = (select oid from pg_database where datname = current_database())) end
      for update skip locked)`,
)

export async function createLease(db: Db): Promise<number> {
  const { rows } = await db.execute<{ mark: number }>(sql`select nextval('job_marks') as mark`)
  return rows[0]?.mark ?? 0
}

/** Shared: the database may still hold the old connection's lock, which must not block the new one. */
export const lockLease = (db: Db, mark: number) =>
  db.execute(sql`select pg_advisory_lock_shared(${leaseLockClass}, ${mark})`)

export const renewJobs = (db: Db, mark: number, running: Job[]) =>
  db.execute(sql`
    update jobs set held_by = ${mark}, run_at = ${leaseEnd}
    where (id, claim) in (
      select * from unnest(${sql.param(running.map(({ id }) => id))}::bigint[], ${sql.param(running.map(({ claim }) => claim))}::bigint[]))`)

/** SQL for the next due time (ISO) of a job by its payload's id, which must be unique across kinds. */
export const jobDueAtSql = (id: SQL): SQL =>
  sql`(select to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from jobs
    where jobs.payload ->> 'id' = ${id} order by run_at limit 1)`
