// @module-tag full

import { setTimeout as wait } from 'node:timers/promises'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Database, openDatabase, transaction } from '../../server/platform/database/open-database.ts'
import { toApiError } from '../../server/platform/http/error-handlers.ts'
import { readReplicationGauges } from '../../server/platform/telemetry/operation-gauges.ts'
import { cookieHeaderOf, createBrowserAt } from '../support/browser-at.ts'
import { aSeller, type TestPerson, type TestServerLike } from '../support/people.ts'
import { aCarForm } from '../support/sales/deals.ts'
import {
  cleanupAfterFile,
  createTestFolder,
  type ServerProcess,
  serverAddress,
  startServerProcess,
} from '../support/server-process.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'
import { queryOnce } from './replacement.ts'

// A primary and a synchronous standby, both in DATABASE_URL (decision 55). The standby is promoted
// while cars are added.

const onCleanup = cleanupAfterFile()

/** Acknowledged cars, with the time in ms. */
const added: { vin: string; at: number }[] = []
let primary: PostgresServer
let standby: PostgresServer
let server: ServerProcess
/** Connects to the server that accepts writes first. */
const writablePrimary: TestServerLike = {
  browser: () => createBrowserAt(() => serverAddress(server)),
  query: (text, values) => queryOnce(primary.url, text, values),
}
beforeAll(async () => {
  primary = await startPostgresServer({}, onCleanup)
  standby = await primary.standby('second', {})
  await configure(primary, 'synchronous_standby_names', 'second')
  await vi.waitFor(async () => {
    const states = await primary.query('select sync_state from pg_stat_replication')
    expect(states).toEqual([{ sync_state: 'sync' }])
  }, 60_000)
  const DATABASE_URL = `postgres://keyturn@${standby.host},${primary.host}/keyturn?target_session_attrs=read-write`
  server = startServerProcess(
    { DATABASE_URL, DATA_DIR: createTestFolder(onCleanup), PORT: '0', DEMO: '0', RATE_LIMITS: 'off' },
    onCleanup,
  )
  await server.says('Keyturn is ready')
})

test('exposes the modes and the lag of standbys, and a missing synchronous one, as metrics', async () => {
  const { db, close } = openDatabase({ connectionString: primary.url })
  onTestFinished(close)
  const facts = () => readReplicationGauges(db)
  expect(await facts()).toEqual([
    { gauge: 'keyturn_standbys', of: 'sync', value: 1 },
    { gauge: 'keyturn_standby_lag_bytes', value: expect.any(Number) },
    { gauge: 'keyturn_commits_at_risk_bytes', value: 0 },
    { gauge: 'keyturn_synchronous_standby_missing', value: 0 },
  ])
  await configure(primary, 'synchronous_standby_names', 'nobody')
  await vi.waitFor(
    async () =>
      expect(await facts()).toContainEqual({ gauge: 'keyturn_synchronous_standby_missing', value: 1 }),
    10_000,
  )
  await configure(primary, 'synchronous_standby_names', 'second')
  await vi.waitFor(
    async () =>
      expect(await facts()).toContainEqual({ gauge: 'keyturn_synchronous_standby_missing', value: 0 }),
    10_000,
  )
})

test('exposes the size of acknowledged changes that no standby has', async () => {
  const { db, close } = openDatabase({ connectionString: primary.url })
  onTestFinished(close)
  await configure(primary, 'synchronous_standby_names', '')
  onTestFinished(() => configure(primary, 'synchronous_standby_names', 'second'))
  const [sender] = await primary.query<{ pid: number }>('select pid from pg_stat_replication')
  process.kill(sender?.pid ?? 0, 'SIGSTOP')
  onTestFinished(() => void process.kill(sender?.pid ?? 0, 'SIGCONT'))
  await primary.query('create table unconfirmed as select generate_series(1, 1000)')
  const readings = await readReplicationGauges(db)
  const atRisk = readings.find(({ gauge }) => gauge === 'keyturn_commits_at_risk_bytes')
  expect(atRisk?.value).toBeGreaterThan(1000)
})

// R-everywhere-51
test('acknowledges no commit that no standby has, even when the wait is canceled', async () => {
  const { pool, db, close } = openDatabase({ connectionString: primary.url, application_name: 'writes' })
  onTestFinished(close)
  await primary.query(`create table notes (note text)`)
  await configure(primary, 'synchronous_standby_names', 'nobody')
  const writes = [
    () => pool.query(`insert into notes values ('one')`),
    () => transaction(db, (tx) => tx.execute(sql`insert into notes values ('one')`)),
  ]
  for (const write of writes) {
    const written = write().then(
      () => 'acknowledged',
      (error) => toApiError(error)?.code,
    )
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'writes'`
    await vi.waitFor(async () => expect(await primary.query(cancel)).toHaveLength(1), 10_000)
    expect(await written).toBe('Unavailable')
  }
  await configure(primary, 'synchronous_standby_names', 'second')
  await primary.query('drop table notes')
})

// R-everywhere-22
test('responds to writes with 503 while no server accepts them, then recovers on its own', async () => {
  const [seller, statuses] = [await aSeller(writablePrimary), new Set<number>()]
  await add(seller, statuses)
  await configure(primary, 'default_transaction_read_only', 'on')
  const adding = Promise.all(Array.from({ length: 12 }, () => add(seller, statuses)))
  await vi.waitFor(() => expect(statuses).toContain(503), 10_000)
  await configure(primary, 'default_transaction_read_only', 'off')
  await adding
  expect([...statuses].sort()).toEqual([201, 503])
})

// R-everywhere-51, R-safe-16
test('fails over within ten seconds under load, neither loses nor doubles what was acknowledged, and resumes a stream', async () => {
  const sellers = await Promise.all(Array.from({ length: 4 }, () => aSeller(writablePrimary)))
  const [watcher = await aSeller(writablePrimary)] = sellers
  const eventCount = await countEvents(watcher)
  const statuses = new Set<number>()
  let isOver = false
  const adding = sellers.map(async (seller) => {
    while (!isOver) await add(seller, statuses)
  })
  await vi.waitFor(() => expect(added.length).toBeGreaterThan(60), { timeout: 30_000 })
  const killed = performance.now()
  const before = added.length
  primary.kill()
  await standby.query('select pg_promote()')
  await vi.waitFor(() => expect(added.length).toBeGreaterThan(before + 40), { timeout: 60_000 })
  isOver = true
  await Promise.all(adding)

  expect(longestGap(killed)).toBeLessThan(10_000)
  expect([...statuses].filter((status) => ![201, 409, 503].includes(status))).toEqual([])
  const rows = await standby.query<{ vin: string }>('select vin from cars')
  expect(rows.map(({ vin }) => vin).sort()).toEqual(added.map(({ vin }) => vin).sort())
  // The same stream catches up on missed events and gets new ones.
  const events = eventCount()
  await vi.waitFor(async () => {
    await add(watcher, statuses)
    expect(eventCount()).toBeGreaterThan(events)
  }, 10_000)
})

// R-everywhere-51
test('replaces connections to a read-only server with connections to a writable one', async () => {
  await primary.stop()
  await primary.start({ synchronous_standby_names: '' })
  const [oldPrimary, newPrimary] = [primary, standby]
  await configure(oldPrimary, 'default_transaction_read_only', 'on')
  await newPrimary.query('create table notes (note text)')
  const connectionString = `postgres://keyturn@${oldPrimary.host},${newPrimary.host}/keyturn`
  const { pool, db, close } = openDatabase({ connectionString, max: 5 })
  onTestFinished(close)
  const runTen = () =>
    Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i % 2 === 0
          ? pool.query(`insert into notes select 'one' from pg_sleep(0.02)`)
          : transaction(db, (tx) => tx.execute(sql`insert into notes select 'one' from pg_sleep(0.02)`)),
      ),
    )
  await runTen()
  expect(await newPrimary.query('select from notes')).toHaveLength(10)
  await configure(newPrimary, 'default_transaction_read_only', 'on')
  await configure(oldPrimary, 'default_transaction_read_only', 'off')
  await oldPrimary.query('create table notes (note text)')
  // Replaces one connection. The next idle connection leads to the read-only server as well.
  await pool.query(`insert into notes values ('one')`)
  await runTen()
  expect(await oldPrimary.query('select from notes')).toHaveLength(11)

  const reader = openDatabase({ connectionString: newPrimary.url })
  onTestFinished(reader.close)
  expect(toApiError(await reader.pool.query('select 1').catch((error) => error))?.code).toBe('Unavailable')
})

// R-everywhere-51
test('connects to another server when the first is unreachable', async () => {
  const ways = [
    (at: Database) => at.pool.query(`insert into notes values ('late')`),
    (at: Database) => transaction(at.db, (tx) => tx.execute(sql`insert into notes values ('late')`)),
  ]
  const connectionString = `postgres://keyturn@${primary.host},${standby.host}/keyturn`
  const databases = ways.map(() => openDatabase({ connectionString, idleTimeoutMillis: 1 }))
  for (const { pool, close } of databases) {
    onTestFinished(close)
    await pool.query('select 1')
    await vi.waitFor(() => expect(pool.totalCount).toBe(0))
  }
  await configure(standby, 'default_transaction_read_only', 'off')
  await primary.stop()
  for (const [i, write] of ways.entries()) await write(databases[i] as Database)
  expect(await standby.query(`select from notes where note = 'late'`)).toHaveLength(2)
})

function longestGap(from: number): number {
  const times = [from, ...added.map(({ at }) => at).filter((at) => at > from), performance.now()]
  return Math.max(...times.slice(1).map((at, i) => at - (times[i] ?? 0)))
}

async function configure(server: PostgresServer, name: string, value: string): Promise<void> {
  await server.query(`alter system set ${name} = '${value}'`)
  await server.query('select pg_reload_conf()')
  const now = async () => (await server.query<Record<string, string>>(`show ${name}`))[0]?.[name]
  await vi.waitFor(async () => expect(await now()).toBe(value), 10_000)
}

/** Retries with the same key after a lost response, as the app does. */
async function add(seller: TestPerson, statuses: Set<number>): Promise<void> {
  const body = aCarForm()
  for (;;) {
    const { status, headers } = await seller.send(addCar, { body }, { 'idempotency-key': body.vin })
    statuses.add(status)
    if (status === 201) return void added.push({ vin: body.vin, at: performance.now() })
    if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    await wait(100)
  }
}

/** Counts the events of a person's stream, which must not end. */
async function countEvents(seller: TestPerson): Promise<() => number> {
  const ending = new AbortController()
  onCleanup(() => ending.abort())
  const { status, body } = await fetch(`${serverAddress(server)}/events`, {
    headers: { cookie: cookieHeaderOf(seller), 'sec-fetch-site': 'same-origin' },
    signal: ending.signal,
  })
  expect(status).toBe(200)
  let text = ''
  void (async () => {
    for await (const bytes of body ?? []) text += Buffer.from(bytes).toString()
    text = 'ended'
  })().catch(() => {})
  return () => {
    expect(text).not.toBe('ended')
    return text.split('\ndata:').length
  }
}
