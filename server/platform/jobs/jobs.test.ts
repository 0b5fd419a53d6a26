import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { transaction } from '../database/open-database.ts'
import {
  adjustToClock,
  claimJobs,
  endJob,
  leaseLockClass,
  releaseAbandonedJobs,
  requeueJob,
} from './job-repository.ts'
import { addJob, deleteJobByKey, runDueJobs, startJobs, type Task, type Tasks } from './jobs.ts'
import { createWorkerLease } from './worker-lease.ts'

const server = await startTestServer()
const { db } = server.deps
await server.query('delete from jobs')
afterEach(async () => {
  await server.query('delete from jobs')
  await server.moveClock('0')
})
/** Creates a kind with one place by default. */
const task = (run: Task['run'], places = 1): Task => ({ places, run })
/** Creates a kind whose jobs are done after one run. */
const doing = (work: (payload: Record<string, unknown>) => unknown, places = 1): Task =>
  task(async (payload) => void (await work(payload)), places)
const waiting = () =>
  server.query<{ name: string; attempts: number }>('select name, attempts from jobs order by id')

// R-safe-19, R-everywhere-21
test('runs a job after the commit of its transaction, and never after a rollback', async () => {
  const done: unknown[] = []
  const tasks: Tasks = {
    note: doing((payload) => done.push(payload)),
  }
  await transaction(db, (tx) => addJob(tx, 'note', { word: 'yes' }))
  await transaction(db, async (tx) => {
    await addJob(tx, 'note', { word: 'no' })
    throw new Error('rolled back')
  }).catch(() => {})
  await runDueJobs(server.deps, tasks)
  expect(done).toEqual([{ word: 'yes' }])
  expect(await waiting()).toEqual([])
})

test('runs a job when it is due by the database’s clock, and reschedules it when its key is added again', async () => {
  let done = 0
  const tasks: Tasks = {
    later: doing(() => done++),
  }
  await addJob(db, 'later', {}, { key: 'k', inMs: 60_000 })
  await addJob(db, 'later', {}, { key: 'k', at: new Date(Date.now() + 120_000) })
  await server.moveClock('90 seconds')
  await runDueJobs(server.deps, tasks)
  expect(done).toBe(0)
  await server.moveClock('121 seconds')
  await runDueJobs(server.deps, tasks)
  expect(done).toBe(1)
  await addJob(db, 'later', {}, { key: 'k' })
  await deleteJobByKey(db, 'k')
  expect(await waiting()).toEqual([])
})

// R-everywhere-19
test('does not delay jobs with relative waits or fixed times when the clock steps back', async () => {
  const done: unknown[] = []
  const tasks: Tasks = {
    mail: doing(({ word }) => done.push(word)),
    retry: task(async (_, { attempts }) => {
      done.push(`try ${attempts}`)
      return attempts === 1 ? { againInMs: 60_000 } : undefined
    }),
  }
  await server.moveClock('1 hour')
  await addJob(db, 'retry', {})
  await runDueJobs(server.deps, tasks)
  await addJob(db, 'mail', { word: 'at once' })
  await addJob(db, 'mail', { word: 'in a minute' }, { inMs: 60_000 })
  await addJob(db, 'mail', { word: 'at its moment' }, { key: 'm', at: new Date(Date.now() + 3_600_000) })
  const soFar = async (clock: string) => {
    await server.moveClock(clock)
    await runDueJobs(server.deps, tasks)
    return done.splice(0).sort()
  }
  expect(await soFar('0')).toEqual(['at once', 'try 1'])
  expect(await soFar('50 seconds')).toEqual([])
  expect(await soFar('61 seconds')).toEqual(['in a minute', 'try 2'])
  expect(await soFar('61 minutes')).toEqual(['at its moment'])
})

test('does not claim a running job again when the clock steps back', async () => {
  await server.moveClock('1 hour')
  await addJob(db, 'slow', {})
  const kinds = [{ name: 'slow', places: 1 }]
  expect(await claimJobs(db, kinds, null)).toHaveLength(1)
  await server.moveClock('0')
  await adjustToClock(db)
  expect(await claimJobs(db, kinds, null)).toEqual([])
  // The claim still expires after its full time, in case nobody ends the job.
  await server.moveClock('121 seconds')
  expect(await claimJobs(db, kinds, null)).toHaveLength(1)
})

test('retries a job that fails or asks to run again, and ignores an unknown kind', async () => {
  let tries = 0
  const tasks: Tasks = {
    shaky: task(async () => {
      if (++tries === 1) throw new Error('not yet')
      return tries === 2 ? { againInMs: 5000 } : undefined
    }),
  }
  await addJob(db, 'shaky', {})
  await addJob(db, 'somebody-elses', {})
  for (const clock of ['0', '11 seconds', '12 seconds', '17 seconds']) {
    await server.moveClock(clock)
    await runDueJobs(server.deps, tasks)
  }
  expect(tries).toBe(3)
  expect(await waiting()).toEqual([{ name: 'somebody-elses', attempts: 0 }])
})

test('runs a job once more when it is added again while it runs', async () => {
  let done = 0
  const tasks: Tasks = {
    slow: doing(() => ++done === 1 && addJob(db, 'slow', {}, { key: 's' })),
  }
  await addJob(db, 'slow', {}, { key: 's' })
  expect(await runDueJobs(server.deps, tasks)).toBe(2)
  expect(await waiting()).toEqual([])
})

test('divides the jobs between two workers, runs each once, and waits for running ones when stopping', async () => {
  const done: number[] = []
  const tasks: Tasks = {
    count: doing(async ({ number }) => {
      await wait(20)
      done.push(Number(number))
    }, 4),
  }
  for (let number = 0; number < 30; number++) await addJob(db, 'count', { number })
  const runners = [startJobs(server.deps, tasks), startJobs(server.deps, tasks)]
  while (done.length < 30) await wait(20)
  await Promise.all(runners.map((runner) => runner.stop()))
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, number) => number))
  expect(await waiting()).toEqual([])
})

// R-everywhere-45
test('divides the places of a kind among a start’s processes, with at least one for each', async () => {
  const most = { many: 0, one: 0 }
  const now = { many: 0, one: 0 }
  let done = 0
  const counted = (kind: 'many' | 'one', places: number) =>
    doing(async () => {
      most[kind] = Math.max(most[kind], ++now[kind])
      await wait(20)
      now[kind]--
      done++
    }, places)
  for (let number = 0; number < 12; number++)
    await addJob(db, number % 2 ? 'many' : 'one', { number }, { key: `shared ${number}` })
  const runner = startJobs(
    { ...server.deps, processes: 2 },
    { many: counted('many', 6), one: counted('one', 1) },
  )
  while (done < 12) await wait(20)
  await runner.stop()
  expect(most).toEqual({ many: 3, one: 1 })
})

test('does not delay other kinds when one hangs, and resumes a resting kind with its oldest job', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const tried: unknown[] = []
  let isThere = false
  const { finished, finish } = something()
  for (let number = 0; number < 8; number++) {
    await addJob(db, 'hang', { number })
    await addJob(db, 'rest', { number })
  }
  const runner = startJobs(server.deps, {
    hang: doing(() => finished, 4),
    rest: task(async ({ number }) => {
      tried.push(number)
      return isThere ? undefined : { resting: true, because: 'nobody listens' }
    }, 4),
  })
  onTestFinished(runner.stop)
  await vi.waitFor(() => expect(runner.running()).toEqual({ hang: 4, rest: 0 }), 10_000)
  await wait(2500)
  expect(tried.sort()).toEqual([0, 1, 2, 3])
  isThere = true
  vi.advanceTimersByTime(10_001)
  await vi.waitFor(() => expect(tried).toHaveLength(12), 10_000)
  expect(tried[4]).toBe(0)
  finish()
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), 10_000)
})

test('waits for outbound jobs when stopping, and releases jobs that the next process can repeat', async () => {
  const begun: string[] = []
  const slowly = (name: string) =>
    doing(async () => {
      begun.push(name)
      await wait(3000)
      if (name === 'draw') throw new Error('what it needs is closed by now')
    })
  await addJob(db, 'draw', {}, { key: 'd' })
  await addJob(db, 'send', {}, { key: 's' })
  const send: Task = { ...slowly('send'), isOutbound: true }
  const runner = startJobs(server.deps, { draw: slowly('draw'), send })
  while (begun.length < 2) await wait(20)
  const stopped = runner.stop()
  const next: string[] = []
  const other = startJobs(server.deps, {
    draw: doing(async () => next.push(...(await waiting()).map(({ name }) => name))),
  })
  while (next.length === 0) await wait(20)
  expect(next).toEqual(['draw', 'send'])
  await stopped
  await other.stop()
  expect(await waiting()).toEqual([])

  await addJob(db, 'draw', {}, { key: 'd' })
  const last = startJobs(server.deps, { draw: slowly('draw') })
  while (begun.length < 3) await wait(20)
  const before = performance.now()
  await last.stop()
  expect(performance.now() - before).toBeLessThan(2500)
  await wait(3000)
  // The job is neither postponed nor recorded as failed.
  const due = 'select from jobs where run_at <= keyturn_now() and failed_because is null and held_by is null'
  expect(await server.query(due)).toHaveLength(1)
})

test('keeps the running jobs of a process that lost its connection', async () => {
  let runs = 0
  const { finished, finish } = something()
  const tasks: Tasks = {
    long: doing(() => {
      runs++
      return finished
    }, 4),
  }
  await addJob(db, 'long', {})
  const runners = [startJobs(server.deps, tasks), startJobs(server.deps, tasks)]
  const own = `from pg_stat_activity where datname = current_database() and application_name = 'keyturn-jobs'`
  while (runs === 0 || (await server.query(`select ${own}`)).length < 2) await wait(20)
  const [before] = await server.query<{ run_at: string }>('select run_at::text from jobs')
  await server.query(`select pg_terminate_backend(pid) ${own}`)
  // The process that runs the jobs holds them again for the full time.
  const heldAnew = `select from jobs where held_by is not null and run_at > $1::timestamptz`
  while ((await server.query(heldAnew, [before?.run_at])).length === 0) await wait(20)
  expect(runs).toBe(1)
  finish()
  while ((await waiting()).length > 0) await wait(20)
  await Promise.all(runners.map((runner) => runner.stop()))
  expect(runs).toBe(1)
})

test('claims a live process’s released jobs again, unless another process has started them', async () => {
  const own = createWorkerLease(server.deps.pool, () => {})
  const { mark } = await own.open([])
  for (const name of ['first', 'second']) await addJob(db, name, {})
  const both = ['first', 'second'].map((name) => ({ name, places: 1 }))
  const running = await claimJobs(db, both, mark)
  await own.close()
  const other = await marked()
  await releaseAbandonedJobs(db, other.mark, [])
  const soon = `select name from jobs where held_by is null and run_at < keyturn_now() + interval '6 seconds' order by id`
  expect(await server.query(soon)).toEqual([{ name: 'first' }, { name: 'second' }])
  await server.moveClock('6 seconds')
  const [taken] = await claimJobs(db, both.slice(1), other.mark)
  expect(taken?.name).toBe('second')
  expect((await own.open(running)).mark).toBe(mark)
  expect(await server.query('select name, held_by from jobs order by id')).toEqual([
    { name: 'first', held_by: mark },
    { name: 'second', held_by: other.mark },
  ])
  expect(await server.query(soon)).toEqual([])
  // Nobody runs a job whose claim's response was lost.
  await releaseAbandonedJobs(db, mark, [])
  expect(await server.query(soon)).toEqual([{ name: 'first' }])
  await Promise.all([own.close(), other.close()])
})

/** Marks jobs as held by a process that does not exist. */
async function taken(mark: number): Promise<void> {
  await addJob(db, 'taken', {})
  expect(await claimJobs(db, [{ name: 'taken', places: 1 }], mark)).toHaveLength(1)
}

test('releases a dead process’s jobs after five seconds, and keeps the due time of jobs that were not started', async () => {
  await server.stopClock(new Date().toISOString())
  await taken(424_242)
  await addJob(db, 'later', {}, { inMs: 3_600_000 })
  // This caller holds no lease either, so nobody does.
  await releaseAbandonedJobs(db, 424_243, [])
  const seconds = 'select extract(epoch from run_at - keyturn_now())::int as seconds from jobs order by id'
  expect(await server.query(seconds)).toEqual([{ seconds: 5 }, { seconds: 3600 }])
})

test('does not count locks of another class, kind or database as a lease', async () => {
  const mark = 424_242
  const lock = async (connectionString: string, key: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query(`select pg_advisory_lock_shared(${key})`)
  }
  await lock(server.databaseUrl, `1, ${mark}`)
  await lock(server.databaseUrl, `${(BigInt(leaseLockClass) << 32n) + BigInt(mark)}`)
  await lock(inject('database'), `${leaseLockClass}, ${mark}`)
  await taken(mark)
  await releaseAbandonedJobs(db, mark + 1, [])
  expect(await server.query('select held_by from jobs')).toEqual([{ held_by: null }])
})

test('neither ends nor returns a job that another process has claimed in the meantime', async () => {
  await addJob(db, 'slow', {})
  const kinds = [{ name: 'slow', places: 1 }]
  const [late] = await claimJobs(db, kinds, null)
  await server.moveClock('121 seconds')
  const [inTime] = await claimJobs(db, kinds, null)
  if (!late || !inTime) throw new Error('taken by nobody')
  await requeueJob(db, late, { inMs: 0, because: 'too late' })
  await endJob(db, late)
  expect(await server.query('select claim, failed_because from jobs')).toEqual([
    { claim: inTime.claim, failed_because: null },
  ])
  await endJob(db, inTime)
  expect(await waiting()).toEqual([])
})

test('runs a dead process’s job within seconds, but no live process’s job', {
  tags: ['full'],
}, async () => {
  const gone = await marked()
  const lives = await marked()
  for (const [name, { mark }] of Object.entries({ gone, lives })) {
    await addJob(db, name, {})
    await server.query(
      `update jobs set held_by = $1, claim = nextval('row_versions'), run_at = keyturn_now() + interval '120 seconds' where name = $2`,
      [mark, name],
    )
  }
  await gone.close()
  const done: string[] = []
  const note = (name: string) => doing(() => done.push(name))
  const runner = startJobs(server.deps, { gone: note('gone'), lives: note('lives') })
  const began = performance.now()
  while (done.length === 0) await wait(20)
  expect(performance.now() - began).toBeLessThan(30_000)
  expect(done).toEqual(['gone'])
  await lives.close()
  while (done.length === 1) await wait(20)
  await runner.stop()
  expect(performance.now() - began).toBeLessThan(60_000)
  expect(await waiting()).toEqual([])
})

test('does not rerun a finished job whose end could not be recorded at first, and keeps a failed job’s error code', async () => {
  let runs = 0
  const tasks: Tasks = {
    writes: doing(async () => {
      runs++
      await server.query('alter table jobs rename to jobs_away')
      setTimeout(() => void server.query('alter table jobs_away rename to jobs'), 1500)
    }),
    fails: doing(() => db.execute(sql`select 1 / 0`)),
    reaches: doing(() => new Promise((_, reject) => connect(1, 'localhost').on('error', reject))),
  }
  await addJob(db, 'writes', {})
  await runDueJobs(server.deps, tasks)
  expect(await waiting()).toEqual([])
  expect(runs).toBe(1)
  for (const name of ['fails', 'reaches']) await addJob(db, name, {})
  await runDueJobs(server.deps, tasks)
  expect(await server.query('select failed_because from jobs order by id')).toEqual([
    { failed_because: '22012: division by zero' },
    { failed_because: expect.stringContaining('ECONNREFUSED') },
  ])
})

/** Creates work that finishes when the test calls `finish`. */
function something() {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { finished, finish: () => finish() }
}

/** Simulates a process: opens a lease and returns its mark. */
async function marked() {
  const keeper = createWorkerLease(server.deps.pool, () => {})
  const { mark } = await keeper.open([])
  return { mark, close: keeper.close }
}
