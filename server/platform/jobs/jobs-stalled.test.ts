// @module-tag full

import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openProxy } from '../../../tests/support/proxy.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../database/open.ts'
import { addJob, startJobs, type Tasks } from './jobs.ts'

// The network between the background work and the database loses connections and tells nobody; requests go on.

const house = await startTestServer()
await house.query('delete from jobs')

test('work goes on after its connection was lost without a word; while it cannot, readiness and one log line say so', async () => {
  const { network, ready, done, lines } = await aRunner()
  await addJob(house.deps.db, 'note', { number: 1 })
  await vi.waitFor(() => expect(done).toEqual([1]), 60_000)
  expect(await ready()).toEqual([200, { status: 'ok', jobs: 'ok' }])

  network.swallow('old')
  await addJob(house.deps.db, 'note', { number: 2 })
  await vi.waitFor(() => expect(done).toEqual([1, 2]), 60_000)

  network.swallow('all')
  await addJob(house.deps.db, 'note', { number: 3 })
  const stalled = [200, { status: 'ok', jobs: 'stalled' }]
  await vi.waitFor(async () => expect(await ready()).toEqual(stalled), 60_000)
  expect(done).toEqual([1, 2])
  const said = lines.filter(({ msg }) => msg === 'jobs wait for the database')
  // Once for each of the two times.
  expect(said).toHaveLength(2)
  expect(said[0]?.because).toBe('Query read timeout')

  network.heal()
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3]), 60_000)
  expect(await ready()).toEqual([200, { status: 'ok', jobs: 'ok' }])
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
  const app = await buildApp(house.deps, new URL('../../../dist/web/', import.meta.url), {
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
