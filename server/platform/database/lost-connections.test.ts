// @module-tag full

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestClient } from '../../../tests/support/browser.ts'
import { cookieHeaderOf } from '../../../tests/support/browser-at.ts'
import { type LossyProxy, startLossyProxy } from '../../../tests/support/http/lossy-proxy.ts'
import { aNewcomer, aSeller } from '../../../tests/support/people.ts'
import { aCarForm } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { demoPeople } from '../../commands/seed/demo-people.ts'
import { seedDemo } from '../../commands/seed/seed.ts'
import { migrate, migrationsFolder } from './migrate.ts'
import { type Database, openDatabase, transaction } from './open-database.ts'

// The network between server and database silently drops connections.

const server = await startTestServer()
/** The longest acceptable wait: one query timeout, plus a retry on a busy machine. */
const recoveryMs = 8_000
const slackMs = 4_000

// R-everywhere-22
test('serves requests again within eight seconds after losing every connection, and repeats no write', async () => {
  const { app, proxy, database } = await aServer()
  const person = await aSeller(server)
  const seller = createTestClient(app)
  for (const [name, value] of person.cookies) seller.cookies.set(name, value)
  await openAll(database)
  proxy.drop('old')
  const began = performance.now()
  // Requests run in sequence, because each would otherwise get another lost connection.
  const forms = Array.from({ length: 3 }, () => aCarForm())
  const tookMs: number[] = []
  for (const [intent, body] of forms.entries()) {
    const headers = { 'idempotency-key': `lost-${intent}` }
    while ((await seller.send(addCar, { body }, headers)).status !== 201) {}
    tookMs.push(performance.now() - began)
  }
  expect(Math.max(...tookMs)).toBeLessThan(recoveryMs + slackMs)
  const vins = forms.map(({ vin }) => vin)
  expect(await server.query('select id from cars where vin = any($1)', [vins])).toHaveLength(vins.length)
})

test('responds to the readiness check within three seconds when the network loses connections', async () => {
  const { app, proxy, database } = await aServer()
  const probe = async () => {
    const began = performance.now()
    const { statusCode } = await app.inject({ url: '/health/ready' })
    expect(performance.now() - began).toBeLessThan(3_000)
    return statusCode
  }
  for (const which of ['old', 'all'] as const) {
    await openAll(database)
    expect(await probe()).toBe(200)
    proxy.drop(which)
    // There is no other traffic, so this probe must detect the lost connections.
    expect(await probe()).toBe(503)
    if (which === 'all') for (let i = 0; i < 3; i++) expect(await probe()).toBe(503)
    proxy.heal()
    await vi.waitFor(async () => expect(await probe()).toBe(200), 10_000)
    for (let i = 0; i < database.pool.options.max; i++) expect(await probe()).toBe(200)
  }
})

test('responds to the readiness check within three seconds when requests hold every connection', async () => {
  const { app, proxy, database } = await aServer()
  await openAll(database)
  proxy.drop('all')
  const hanging = Array.from({ length: 20 }, () => database.pool.query('select 1').catch(() => {}))
  const began = performance.now()
  expect((await app.inject({ url: '/health/ready' })).statusCode).toBe(503)
  expect(performance.now() - began).toBeLessThan(3_000)
  await Promise.all(hanging)
})

test('fails an unanswered transaction after one timeout, and does not reuse its connection', async () => {
  const { proxy, database } = await aServer({ statement_timeout: 1_000, max: 1 })
  let lostAt = 0
  const failed = transaction(database.db, async (tx) => {
    await tx.execute(sql`select 1`)
    proxy.drop('old')
    lostAt = performance.now()
    await tx.execute(sql`select 2`)
  })
  await expect(failed).rejects.toThrow()
  // Waiting for a rollback would double the time.
  expect(performance.now() - lostAt).toBeLessThan(3_000)
  expect(await transaction(database.db, (tx) => tx.execute(sql`select 3`))).toMatchObject({ rowCount: 1 })
  expect(proxy.countForwarding()).toBe(1)
})

// R-safe-16, R-everywhere-22
test('returns 503 instead of 500 for a request on a lost connection', async () => {
  const { app, proxy, database } = await aServer({ statement_timeout: 1_000 })
  await openAll(database)
  proxy.drop('old')
  const asked = await app.inject({ url: '/user', headers: { cookie: cookieHeaderOf(await aSeller(server)) } })
  expect([asked.statusCode, asked.json().errorCode]).toEqual([503, 'Unavailable'])
})

test('keeps the connection when the database cancels a statement', async () => {
  const { database } = await aServer({ statement_timeout: 500, max: 1 })
  const pid = () => transaction(database.db, (tx) => tx.execute(sql`select pg_backend_pid() as pid`))
  const before = await pid()
  await expect(transaction(database.db, (tx) => tx.execute(sql`select pg_sleep(30)`))).rejects.toThrow()
  expect((await pid()).rows).toEqual(before.rows)
})

test('runs migrations, and waits for those of another server, without a timeout', async () => {
  const database = openDatabase({ statement_timeout: 200, connectionString: server.ownerUrl })
  onTestFinished(() => database.close())
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-slow-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(migrationsFolder, folder, { recursive: true })
  writeFileSync(join(folder, '9001-slow.sql'), 'select pg_sleep(2)')
  const at = pathToFileURL(`${folder}/`)
  const ran = await Promise.all([migrate(database.pool, at), migrate(database.pool, at)])
  expect(ran.flatMap((each) => each.ran)).toEqual(['9001-slow.sql'])
})

test('waits without a timeout at startup while another server creates the demo accounts', async () => {
  const { database } = await aServer({ statement_timeout: 200 })
  const alter = `alter database "${new URL(server.databaseUrl).pathname.slice(1)}"`
  await server.query(`${alter} set statement_timeout = '200ms'`)
  onTestFinished(async () => void (await server.query(`${alter} reset statement_timeout`)))
  const deps = { ...server.deps, db: database.db, pool: database.pool }
  const other = await server.deps.pool.connect()
  await other.query('select pg_advisory_lock(7165012)')
  const seeded = seedDemo(deps, () => {})
  await wait(2_000)
  const { email, password } = demoPeople.nora
  await aNewcomer(server, 'SELLER', { email, password })
  other.release(true)
  expect((await seeded).map((person) => person.email)).toEqual([email])
})

/** Starts a separate server that reaches the database through a proxy. */
async function aServer(
  settings: Parameters<typeof openDatabase>[0] = {},
): Promise<{ app: FastifyInstance; proxy: LossyProxy; database: Database }> {
  const proxy = await startLossyProxy(server.databaseUrl)
  const database = openDatabase({ ...settings, connectionString: proxy.connectionString })
  const deps = { ...server.deps, db: database.db, pool: database.pool }
  const app = await buildApp(deps, new URL('../../../dist/web/', import.meta.url))
  onTestFinished(async () => {
    await proxy.close()
    await app.close()
    await database.close()
  })
  return { app, proxy, database }
}

/** Opens as many connections as the pool may have, and leaves them idle. */
async function openAll({ pool }: Database): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const client of clients) client.release()
}
