// @module-tag full

import { setTimeout as wait } from 'node:timers/promises'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Database, openDatabase, transaction } from '../../server/platform/database/open-database.ts'
import { toApiError } from '../../server/platform/http/errors.ts'
import { readReplicationGauges } from '../../server/platform/telemetry/operation-gauges.ts'
import { browserAt, cookieOf } from '../support/at-address.ts'
import { aSeller, type TestPerson, type TestServerLike } from '../support/people.ts'
import { aCarForm } from '../support/sales/deals.ts'
import { addressOf, aFolder, endOfFile, type Started, start } from '../support/start.ts'
import { aPostgres, type OwnPostgres } from './own-postgres.ts'
import { askOnce } from './replacement.ts'

// A primary and a synchronous standby, both in DATABASE_URL (decision 55). The standby is promoted
// while cars are added.

const atTheEnd = endOfFile()

/** Acknowledged cars, with the time in ms. */
const added: { vin: string; at: number }[] = []
let primary: OwnPostgres
let standby: OwnPostgres
let server: Started
/** Connects to the server that accepts writes first. */
const door: TestServerLike = {
  browser: () => browserAt(() => addressOf(server)),
  query: (text, values) => askOnce(primary.url, text, values),
}
beforeAll(async () => {
  primary = await aPostgres({}, atTheEnd)
  standby = await primary.standby('second', {})
  await configure(primary, 'synchronous_standby_names', 'second')
  await vi.waitFor(async () => {
    const following = await primary.ask('select sync_state from pg_stat_replication')
    expect(following).toEqual([{ sync_state: 'sync' }])
  }, 60_000)
  const DATABASE_URL = `postgres://keyturn@${standby.host},${primary.host}/keyturn?target_session_attrs=read-write`
  server = start(
    { DATABASE_URL, DATA_DIR: aFolder(atTheEnd), PORT: '0', DEMO: '0', RATE_LIMITS: 'off' },
    atTheEnd,
  )
  await server.says('Keyturn is ready')
})

test('exposes modes and lag of standbys, and a missing synchronous one, as metrics', async () => {
  const { db, close } = openDatabase({ connectionString: primary.url })
  onTestFinished(close)
  const facts = () => readReplicationGauges(db)
  expect(await facts()).toEqual([
    { gauge: 'keyturn_standbys', of: 'sync', value: 1 },
    { gauge: 'keyturn_standby_lag_bytes', value: expect.any(Number) },
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

// R-everywhere-51
test('does not acknowledge what no standby has, even when the wait is canceled', async () => {
  const { pool, db, close } = openDatabase({ connectionString: primary.url, application_name: 'writes' })
  onTestFinished(close)
  await primary.ask(`create table notes (note text)`)
  await configure(primary, 'synchronous_standby_names', 'nobody')
  const ways = [
    () => pool.query(`insert into notes values ('one')`),
    () => transaction(db, (tx) => tx.execute(sql`insert into notes values ('one')`)),
  ]
  for (const write of ways) {
    const written = write().then(
      () => 'acknowledged',
      (error) => toApiError(error)?.code,
    )
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'writes'`
    await vi.waitFor(async () => expect(await primary.ask(cancel)).toHaveLength(1), 10_000)
    expect(await written).toBe('Unavailable')
  }
  await configure(primary, 'synchronous_standby_names', 'second')
  await primary.ask('drop table notes')
})

// R-everywhere-22
test('answers writes with 503 while no server accepts them, then resumes on its own', async () => {
  const [seller, answers] = [await aSeller(door), new Set<number>()]
  await add(seller, answers)
  await configure(primary, 'default_transaction_read_only', 'on')
  const adding = Promise.all(Array.from({ length: 12 }, () => add(seller, answers)))
  await vi.waitFor(() => expect(answers).toContain(503), 10_000)
  await configure(primary, 'default_transaction_read_only', 'off')
  await adding
  expect([...answers].sort()).toEqual([201, 503])
})

// R-everywhere-51, R-safe-16
test('fails over under load within ten seconds, loses and doubles nothing acknowledged, and resumes a stream', async () => {
  const sellers = await Promise.all(Array.from({ length: 4 }, () => aSeller(door)))
  const [watcher = await aSeller(door)] = sellers
  const heard = await listen(watcher)
  const answers = new Set<number>()
  let isOver = false
  const adding = sellers.map(async (seller) => {
    while (!isOver) await add(seller, answers)
  })
  await vi.waitFor(() => expect(added.length).toBeGreaterThan(60), { timeout: 30_000 })
  const killed = performance.now()
  const before = added.length
  primary.kill()
  await standby.ask('select pg_promote()')
  await vi.waitFor(() => expect(added.length).toBeGreaterThan(before + 40), { timeout: 60_000 })
  isOver = true
  await Promise.all(adding)

  expect(longestSilence(killed)).toBeLessThan(10_000)
  expect([...answers].filter((status) => ![201, 409, 503].includes(status))).toEqual([])
  const rows = await standby.ask<{ vin: string }>('select vin from cars')
  expect(rows.map(({ vin }) => vin).sort()).toEqual(added.map(({ vin }) => vin).sort())
  // The same stream catches up on missed events and gets new ones.
  const events = heard()
  await vi.waitFor(async () => {
    await add(watcher, answers)
    expect(heard()).toBeGreaterThan(events)
  }, 10_000)
})

// R-everywhere-51
test('leaves connections to a read-only server for one that accepts writes', async () => {
  await primary.stop()
  await primary.start({ synchronous_standby_names: '' })
  const [old, present] = [primary, standby]
  await configure(old, 'default_transaction_read_only', 'on')
  await present.ask('create table notes (note text)')
  const connectionString = `postgres://keyturn@${old.host},${present.host}/keyturn`
  const { pool, db, close } = openDatabase({ connectionString, max: 5 })
  onTestFinished(close)
  const everybody = () =>
    Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i % 2 === 0
          ? pool.query(`insert into notes select 'one' from pg_sleep(0.02)`)
          : transaction(db, (tx) => tx.execute(sql`insert into notes select 'one' from pg_sleep(0.02)`)),
      ),
    )
  await everybody()
  expect(await present.ask('select from notes')).toHaveLength(10)
  await configure(present, 'default_transaction_read_only', 'on')
  await configure(old, 'default_transaction_read_only', 'off')
  await old.ask('create table notes (note text)')
  // Uses a single connection: the next idle one leads to the read-only server as well.
  await pool.query(`insert into notes values ('one')`)
  await everybody()
  expect(await old.ask('select from notes')).toHaveLength(11)

  const reader = openDatabase({ connectionString: present.url })
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
  for (const [i, way] of ways.entries()) await way(databases[i] as Database)
  expect(await standby.ask(`select from notes where note = 'late'`)).toHaveLength(2)
})

function longestSilence(from: number): number {
  const times = [from, ...added.map(({ at }) => at).filter((at) => at > from), performance.now()]
  return Math.max(...times.slice(1).map((at, i) => at - (times[i] ?? 0)))
}

async function configure(server: OwnPostgres, name: string, value: string): Promise<void> {
  await server.ask(`alter system set ${name} = '${value}'`)
  await server.ask('select pg_reload_conf()')
  const now = async () => (await server.ask<Record<string, string>>(`show ${name}`))[0]?.[name]
  await vi.waitFor(async () => expect(await now()).toBe(value), 10_000)
}

/** Retries with the same key after a lost response, as the app does. */
async function add(seller: TestPerson, answers: Set<number>): Promise<void> {
  const body = aCarForm()
  for (;;) {
    const { status, headers } = await seller.send(addCar, { body }, { 'idempotency-key': body.vin })
    answers.add(status)
    if (status === 201) return void added.push({ vin: body.vin, at: performance.now() })
    if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    await wait(100)
  }
}

/** Counts the events of a person's stream, which must not end. */
async function listen(seller: TestPerson): Promise<() => number> {
  const ending = new AbortController()
  atTheEnd(() => ending.abort())
  const { status, body } = await fetch(`${addressOf(server)}/events`, {
    headers: { cookie: cookieOf(seller), 'sec-fetch-site': 'same-origin' },
    signal: ending.signal,
  })
  expect(status).toBe(200)
  let text = ''
  void (async () => {
    for await (const bytes of body ?? []) text += Buffer.from(bytes).toString()
    text = 'it has ended'
  })().catch(() => {})
  return () => {
    expect(text).not.toBe('it has ended')
    return text.split('\ndata:').length
  }
}
