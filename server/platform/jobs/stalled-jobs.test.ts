// @module-tag full

import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startLossyProxy } from '../../../tests/support/http/lossy-proxy.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../database/open-database.ts'
import { addJob, startJobs, type Tasks } from './jobs.ts'

// The network between the worker and the database drops connections silently; requests still work.

const server = await startTestServer()
await server.query('delete from jobs')

test('continues jobs after a silently lost connection, and reports a stall at readiness and in one log line', async () => {
  const { network, ready, done, lines } = await aRunner()
  await addJob(server.deps.db, 'note', { number: 1 })
  await vi.waitFor(() => expect(done).toEqual([1]), 60_000)
  expect(await ready()).toEqual([200, { status: 'ok', jobs: 'ok' }])

  network.drop('old')
  await addJob(server.deps.db, 'note', { number: 2 })
  await vi.waitFor(() => expect(done).toEqual([1, 2]), 60_000)

  network.drop('all')
  await addJob(server.deps.db, 'note', { number: 3 })
  const stalled = [200, { status: 'ok', jobs: 'stalled' }]
  await vi.waitFor(async () => expect(await ready()).toEqual(stalled), 60_000)
  expect(done).toEqual([1, 2])
  const said = lines.filter(({ msg }) => msg === 'jobs cannot reach the database')
  // One line for each of the two failures.
  expect(said).toHaveLength(2)
  expect(said[0]?.because).toBe('Query read timeout')

  network.heal()
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3]), 60_000)
  expect(await ready()).toEqual([200, { status: 'ok', jobs: 'ok' }])
})

/** Starts a worker behind a proxy, and an app that reaches the database directly. */
async function aRunner() {
  const network = await startLossyProxy(server.databaseUrl)
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
  // Only polling uses the proxy; outcomes are recorded over a direct connection.
  const jobs = startJobs({ db: server.deps.db, pool: database.pool, log }, tasks)
  const app = await buildApp(server.deps, new URL('../../../dist/web', import.meta.url), {
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
