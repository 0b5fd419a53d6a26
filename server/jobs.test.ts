import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { transaction } from './db/open.ts'
import { addJob, doDueJobs, dropJob, startJobs, type Tasks } from './jobs.ts'
import { openHouse } from './test/house.ts'

const house = await openHouse()
const { db } = house.deps
await house.query('delete from jobs')
const waiting = () =>
  house.query<{ name: string; attempts: number }>('select name, attempts from jobs order by id')

test('a job is done after the transaction that adds it, and not at all without it', async () => {
  const done: unknown[] = []
  const tasks: Tasks = {
    note: async (payload) => {
      done.push(payload)
      return undefined
    },
  }
  await transaction(db, (tx) => addJob(tx, 'note', { word: 'yes' }))
  await transaction(db, async (tx) => {
    await addJob(tx, 'note', { word: 'no' })
    throw new Error('rolled back')
  }).catch(() => {})
  await doDueJobs(house.deps, tasks)
  expect(done).toEqual([{ word: 'yes' }])
  expect(await waiting()).toEqual([])
})

test("a job waits for its time, by the database's clock; added again under its key it moves", async () => {
  let done = 0
  const tasks: Tasks = {
    later: async () => {
      done++
      return undefined
    },
  }
  await addJob(db, 'later', {}, { key: 'k', inMs: 60_000 })
  await addJob(db, 'later', {}, { key: 'k', at: new Date(Date.now() + 120_000) })
  await house.moveClock('90 seconds')
  await doDueJobs(house.deps, tasks)
  expect(done).toBe(0)
  await house.moveClock('121 seconds')
  await doDueJobs(house.deps, tasks)
  expect(done).toBe(1)
  await addJob(db, 'later', {}, { key: 'k' })
  await dropJob(db, 'k')
  expect(await waiting()).toEqual([])
  await house.moveClock('0')
})

test('a job that fails comes again, a job that asks for it too, an unknown one is left alone', async () => {
  let tries = 0
  const tasks: Tasks = {
    shaky: async () => {
      if (++tries === 1) throw new Error('not yet')
      return tries === 2 ? { againInMs: 5000 } : undefined
    },
  }
  await addJob(db, 'shaky', {})
  await addJob(db, 'somebody-elses', {})
  for (const clock of ['0', '11 seconds', '12 seconds', '17 seconds']) {
    await house.moveClock(clock)
    await doDueJobs(house.deps, tasks)
  }
  expect(tries).toBe(3)
  expect(await waiting()).toEqual([{ name: 'somebody-elses', attempts: 0 }])
  await house.query('delete from jobs')
  await house.moveClock('0')
})

test('a job of a process that died is done by another; one that was added again meanwhile is done again', async () => {
  const done: string[] = []
  await addJob(db, 'slow', {}, { key: 's' })
  await new Promise<void>((taken) => {
    const dies = () => new Promise<undefined>(() => taken())
    void doDueJobs(house.deps, { slow: dies })
  })
  const tasks: Tasks = {
    slow: async () => {
      done.push('by another')
      if (done.length === 1) await addJob(db, 'slow', {}, { key: 's' })
      return undefined
    },
  }
  expect(await doDueJobs(house.deps, tasks)).toBe(0)
  await house.moveClock('121 seconds')
  expect(await doDueJobs(house.deps, tasks)).toBe(2)
  expect(await waiting()).toEqual([])
  await house.moveClock('0')
})

test('two runners share the work, each job is done once, and stopping waits for what is under way', async () => {
  const done: number[] = []
  const tasks: Tasks = {
    count: async ({ number }) => {
      await wait(20)
      done.push(Number(number))
      return undefined
    },
  }
  for (let number = 0; number < 30; number++) await addJob(db, 'count', { number })
  const runners = [startJobs(house.deps, tasks), startJobs(house.deps, tasks)]
  while (done.length < 30) await wait(20)
  await Promise.all(runners.map((runner) => runner.stop()))
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, number) => number))
  expect(await waiting()).toEqual([])
})

test('stopping does not wait for what hangs: that job comes back to whoever runs then', async () => {
  let begun = () => {}
  const hangs = new Promise<void>((resolve) => {
    begun = resolve
  })
  await addJob(db, 'hang', {}, { key: 'h' })
  const runner = startJobs(house.deps, {
    hang: () => {
      begun()
      return new Promise(() => {})
    },
  })
  await hangs
  await runner.stop()
  expect(await waiting()).toEqual([{ name: 'hang', attempts: 1 }])
  await house.moveClock('121 seconds')
  expect(await doDueJobs(house.deps, { hang: async () => undefined })).toBe(1)
  await house.moveClock('0')
})
