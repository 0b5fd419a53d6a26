// @module-tag full

import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../app.ts'
import { openDatabase } from '../db/open.ts'
import { openHouse } from '../test/house.ts'
import { openProxy } from '../test/proxy.ts'
import { addJob, startJobs, type Tasks } from './jobs.ts'

// The network between the background work and the database loses connections and tells nobody; requests go on.

const house = await openHouse()
await house.query('delete from jobs')

test('work goes on after its connection was lost without a word; while it cannot, readiness and one log line say so', async () => {
  const { network, ready, done, lines } = await aRunner()
  await addJob(house.deps.db, 'note', { number: 1 })
  await until(() => done.length === 1)
  expect(await ready()).toEqual([200, { status: 'ok', jobs: 'ok' }])

  network.swallow('old')
  await addJob(house.deps.db, 'note', { number: 2 })
  await until(() => done.length === 2)

  network.swallow('all')
  await addJob(house.deps.db, 'note', { number: 3 })
  await until(async () => (await ready())[1].jobs === 'stalled')
  expect(await ready()).toEqual([200, { status: 'ok', jobs: 'stalled' }])
  expect(done).toEqual([1, 2])
  const said = lines.filter(({ msg }) => msg === 'jobs wait for the database')
  // Once for each of the two times.
  expect(said).toHaveLength(2)
  expect(said[0]?.because).toBe('Query read timeout')

  network.heal()
  await until(() => done.length === 3)
  expect(await ready()).toEqual([200, { status: 'ok', jobs: 'ok' }])
  expect(done).toEqual([1, 2, 3])
})

/** Background work behind a network of its own, and an app that reaches the database directly. */
async function aRunner() {
  const network = await openProxy(house.databaseUrl)
  const database = openDatabase({ connectionString: network.connectionString })
  const lines: { msg: string; because?: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const done: unknown[] = []
  const tasks: Tasks = {
    note: {
      places: 1,
      run: async ({ number }) => {
        done.push(number)
        return undefined
      },
    },
  }
  // What is done is written down directly: only the looking is behind that network.
  const jobs = startJobs({ db: house.deps.db, pool: database.pool, log }, tasks)
  const app = await buildApp(house.deps, new URL('../../dist/web/', import.meta.url), {
    health: { jobs: jobs.state },
  })
  onTestFinished(async () => {
    await jobs.stop()
    await app.close()
    await network.close()
    await database.close()
  })
  const ready = async () => {
    const answer = await app.inject('/health/ready')
    return [answer.statusCode, answer.json<{ jobs: string }>()] as const
  }
  return { network, ready, done, lines }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('waited a minute in vain')
    await wait(25)
  }
}
