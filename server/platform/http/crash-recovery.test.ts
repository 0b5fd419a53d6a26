// @module-tag full

import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createBrowserAt } from '../../../tests/support/browser-at.ts'
import { aSeller, type TestPerson } from '../../../tests/support/people.ts'
import { aCarForm } from '../../../tests/support/sales/deals.ts'
import { createTestFolder, serverAddress, startServerProcess } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

// A process is killed during a change, and the client repeats the request with the same key.

const testServer = await startTestServer()
const lock = 4711
await testServer.query(`create function wait_for_test() returns trigger language plpgsql as
  $$ begin perform pg_advisory_xact_lock(${lock}); return null; end $$`)

// R-safe-19
test('replays the response when the process was killed after the commit and before it responded', async () => {
  // The commit is blocked at its start, and released when no process is left to see its result.
  const { car, restarted } = await killedAt('constraint trigger held after insert on cars initially deferred')
  await soon(async () => (await listed(car)).length > 0)
  await nobodyWorks()
  const first = await restarted.list(car)
  const [kept] = await testServer.query<{ answer: string }>(
    'select answer from idempotency_keys where key = $1',
    [car.vin],
  )
  expect([first.status, first.replayed, first.body]).toEqual([201, 'true', kept?.answer])
  expect([JSON.parse(first.body)._id]).toEqual((await listed(car)).map(({ id }) => id))
  expect(await restarted.list(car)).toEqual(first)
})

// R-safe-19
test('makes the change once when the process was killed before the commit', async () => {
  const { car, restarted } = await killedAt('trigger held after insert on cars')
  await nobodyWorks()
  expect(await listed(car)).toEqual([])
  const first = await restarted.list(car)
  expect([first.status, first.replayed]).toEqual([201, undefined])
  expect(await restarted.list(car)).toEqual({ ...first, replayed: 'true' })
  expect(await listed(car)).toHaveLength(1)
})

/** Starts a listing, kills the process while the trigger blocks it, and starts another process. */
async function killedAt(trigger: string) {
  const seller = await aSeller(testServer)
  const car = aCarForm()
  await testServer.query(`create ${trigger} for each row execute function wait_for_test()`)
  const holder = new pg.Client({ connectionString: testServer.databaseUrl })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('select pg_advisory_lock($1)', [lock])
  const killed = await aServer(seller)
  const unanswered = killed.list(car).then(
    () => 'answered',
    () => 'unanswered',
  )
  // Looks at this database only, because other tests wait for locks in their own databases.
  await soon(async () => {
    const { rows } = await holder.query(
      `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
       where datname = current_database() and objid = $1 and locktype = 'advisory' and not granted`,
      [lock],
    )
    return rows.length > 0
  })
  await killed.kill()
  await holder.query('select pg_advisory_unlock($1)', [lock])
  expect(await unanswered).toBe('unanswered')
  await nobodyWorks()
  await testServer.query('drop trigger held on cars')
  return { car, restarted: await aServer(seller) }
}

async function aServer(seller: TestPerson) {
  const server = startServerProcess({
    DATABASE_URL: testServer.databaseUrl,
    DATA_DIR: createTestFolder(),
    SESSION_SECRET: testServer.deps.config.sessionSecret,
    PORT: '0',
    DEMO: '0',
  })
  await server.says('ready: ')
  const there = createBrowserAt(() => serverAddress(server))
  for (const [name, value] of seller.cookies) there.cookies.set(name, value)
  return {
    list: async (car: { vin: string }) => {
      const key = { 'idempotency-key': car.vin }
      const { status, headers, body } = await there.send(addCar, { body: car }, key)
      return { status, replayed: headers['idempotent-replayed'], body }
    },
    kill: async () => {
      server.send('SIGKILL')
      await server.ended
    },
  }
}

const listed = ({ vin }: { vin: string }) =>
  testServer.query<{ id: string }>('select id from cars where vin = $1', [vin])

/**
 * Waits for the backends of the killed process: the database notices a dead client only when it
 * writes to it.
 */
const nobodyWorks = () =>
  soon(async () => {
    const [busy] = await testServer.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
    )
    return busy?.n === 0
  })

async function soon(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}
