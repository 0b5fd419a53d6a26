// @module-tag full

import { setTimeout as wait } from 'node:timers/promises'
import { logout } from '@keyturn/contract/accounts/endpoints.ts'
import { addCar, readPublicCar, updatePrice } from '@keyturn/contract/cars/endpoints.ts'
import { listCarsOfUser } from '@keyturn/contract/deals/endpoints.ts'
import { listTrades } from '@keyturn/contract/trades/endpoints.ts'
import pg from 'pg'
import { pino } from 'pino'
import { beforeAll, expect, test, vi } from 'vitest'
import { readIdentity } from '../../server/platform/database/connections/identity-check.ts'
import { openDatabase, transaction } from '../../server/platform/database/open-database.ts'
import { openStandbys } from '../../server/platform/database/standbys/standbys.ts'
import { fetchMetrics, readMetric } from '../../server/platform/telemetry/fetch-metrics.ts'
import type { Browser } from '../support/browser.ts'
import { createBrowserAt } from '../support/browser-at.ts'
import { aToken } from '../support/http/tokens.ts'
import {
  aBuyer,
  anUnapprovedWholesaler,
  aSeller,
  type TestPerson,
  type TestServerLike,
} from '../support/people.ts'
import { aCarForm } from '../support/sales/deals.ts'
import {
  cleanupAfterFile,
  createTestFolder,
  freePort,
  type ServerProcess,
  serverAddress,
  startServerProcess,
} from '../support/server-process.ts'
import { aTradeAt } from '../support/trades.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'
import { queryOnce } from './replacement.ts'

// A primary, an asynchronous standby in DATABASE_READ_URL, and two servers (decision 90).

const onCleanup = cleanupAfterFile()
const maxLagMs = 1_000

let primary: PostgresServer
let standby: PostgresServer
let servers: ServerProcess[]
let site: TestServerLike
let seller: TestPerson
let stranger: Browser
let car: { vin: string; _id: string }
const metricsAddresses: string[] = []

beforeAll(async () => {
  primary = await startPostgresServer({}, onCleanup)
  standby = await primary.standby('second', {})
  servers = [await startServer(), await startServer()]
  let requests = 0
  site = {
    browser: () => createBrowserAt(() => serverAddress(servers[requests++ % 2] as ServerProcess)),
    query: (text, values) => queryOnce(primary.url, text, values),
  }
  seller = await aSeller(site)
  car = await seller.ask(addCar, { body: aCarForm() })
  stranger = site.browser()
  await standbyIs('usable')
})

// R-everywhere-76
test('answers lists and public pages from the standby, and nothing else', async () => {
  const page = `${serverAddress(servers[0] as ServerProcess)}/car?userId=${seller.id}&vin=${car.vin}`
  // A busy machine may delay a check of the standby, which then is not read for a moment.
  await vi.waitFor(async () => {
    const before = await countReads('standby')
    expect((await fetch(page)).status).toBe(200)
    await Promise.all([priceFor(stranger), carsOf(seller)])
    expect(await countReads('standby')).toBe(before + 3)
  }, 20_000)
  const calls = (await queriesOf(standby)).join(' ')
  expect(calls).toContain('from "cars"')
  expect(calls).not.toContain('access_tokens')
})

// R-everywhere-77
test('shows a seller a change that strangers see a second later, on both servers', async () => {
  await standby.query('select pg_wal_replay_pause()')
  const old = await priceFor(stranger)
  const price = await changePrice()
  const changedAt = performance.now()
  expect(await Promise.all([pricesOf(seller), pricesOf(seller)])).toEqual([[price], [price]])
  if (performance.now() - changedAt < maxLagMs / 2) expect(await priceFor(stranger)).toBe(old)
  await vi.waitFor(async () => expect(await priceFor(stranger)).toBe(price), 10_000)
  expect(performance.now() - changedAt).toBeLessThan(3 * maxLagMs)
  await standbyIs('unusable')
  const another = await changePrice()
  expect([await pricesOf(seller), await priceFor(stranger)]).toEqual([[another], another])
  await standby.query('select pg_wal_replay_resume()')
  await standbyIs('usable')
})

// R-everywhere-77
test('reads the primary for a page that refetches after an event, and for a forged position', async () => {
  const read = (headers: Record<string, string> = {}) => site.browser().ask(readPublicCar, carLink(), headers)
  await vi.waitFor(async () => {
    const [standbyReads, primaryReads] = [await countReads('standby'), await countReads('primary')]
    for (const cookie of ['lp=ffffffffffffffff', "lp=0'; drop table cars", 'lp=']) await read({ cookie })
    await read({ 'read-current': '1' })
    await read({ cookie: 'lp=0000000000000000' })
    await read()
    expect(await countReads('primary')).toBe(primaryReads + 4)
    expect(await countReads('standby')).toBe(standbyReads + 2)
  }, 20_000)
})

// R-everywhere-77
test('reads the primary for a program, whose own changes no cookie tells', async () => {
  const { token } = await aToken(seller, ['cars:read', 'cars:write'])
  const program = site.browser()
  const list = (headers: Record<string, string>) =>
    program.ask(listCarsOfUser, { params: { userId: seller.id } }, headers)
  const before = await countReads('primary')
  await list({ authorization: `Bearer ${token}` })
  expect(await countReads('primary')).toBe(before + 1)
})

// R-everywhere-76, R-accounts-52
test('writes to the primary what a read has to write: contact looks and ended offers', async () => {
  const [owner, wholesaler] = [await aBuyer(site), await anUnapprovedWholesaler(site)]
  await site.query('update users set approved_at = now() where id = $1', [wholesaler.id])
  const trade = await aTradeAt('OFFERED', { owner, wholesaler })
  const listed = async () => {
    const trades = await wholesaler.ask(listTrades, { query: { status: 'ALL' } })
    return trades.find(({ _id }) => _id === trade._id)
  }
  const before = await countReads('standby')
  await vi.waitFor(async () => {
    await listed()
    expect(await countReads('standby')).toBeGreaterThan(before)
  }, 10_000)
  expect(await site.query('select from contact_looks where trade_id = $1', [trade._id])).toHaveLength(1)
  await site.query(`update trades set offer_expires_at = now() where id = $1`, [trade._id])
  await vi.waitFor(async () => expect((await listed())?.status).toBe('PENDING'), 10_000)
})

// R-everywhere-76
test('finds a car that the standby does not have yet, and no session that has ended', async () => {
  await standby.query('select pg_wal_replay_pause()')
  const leaving = await aSeller(site)
  const { vin } = await leaving.ask(addCar, { body: aCarForm() })
  const params = { userId: leaving.id, vin }
  expect((await stranger.send(readPublicCar, { params })).status).toBe(200)
  const cookies = new Map(leaving.cookies)
  await leaving.ask(logout)
  const thief = site.browser()
  for (const [name, value] of cookies) thief.cookies.set(name, value)
  expect((await thief.send(listCarsOfUser, { params })).status).toBe(401)
  await standby.query('select pg_wal_replay_resume()')
  await standbyIs('usable')
})

// R-everywhere-76
test('reads a standby that receives nothing while nothing is missing there, however long', async () => {
  for (const server of servers) server.send('SIGSTOP')
  await standby.stop()
  await standby.start({ primary_conninfo: '' })
  const standbys = await open(standby, primary)
  const isUsable = () => standbys.choose(null) !== null
  await vi.waitFor(() => expect(isUsable()).toBe(true), 10_000)
  await wait(2 * maxLagMs)
  expect(isUsable()).toBe(true)
  await primary.query('create table written ()')
  await vi.waitFor(() => expect(isUsable()).toBe(false), 10_000)
  await standbys.close()
  await standby.stop()
  await standby.start({})
  for (const server of servers) server.send('SIGCONT')
  await standbyIs('usable')
})

// R-everywhere-76
test('shows no error when the standby is killed, hangs or is started again', async () => {
  const statuses = new Set<number>()
  let isOver = false
  const reading = Array.from({ length: 8 }, async () => {
    const browser = site.browser()
    while (!isOver) statuses.add((await browser.send(readPublicCar, carLink())).status)
  })
  standby.kill()
  await standbyIs('unusable')
  await standby.start({})
  await standbyIs('usable')
  const backends = await standby.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where backend_type in ('startup', 'client backend') and pid <> pg_backend_pid()`,
  )
  for (const { pid } of backends) process.kill(pid, 'SIGSTOP')
  await standbyIs('unusable')
  for (const { pid } of backends) process.kill(pid, 'SIGCONT')
  await standbyIs('usable')
  isOver = true
  await Promise.all(reading)
  expect([...statuses]).toEqual([200])
})

test('runs no transaction on a standby', async () => {
  const { db, close } = openDatabase({ connectionString: standby.url, isStandby: true })
  onCleanup(close)
  await expect(transaction(db, async () => 'done')).rejects.toThrow('no transactions')
  await expect(
    openDatabase({ connectionString: primary.url, isStandby: true }).pool.query('select 1'),
  ).rejects.toThrow('is not a standby')
})

// R-everywhere-76
test('reads neither a standby that was promoted, nor one that still follows the old primary', async () => {
  const left = await primary.standby('third', {})
  await standby.query('select pg_promote()')
  await standbyIs('unusable')
  const price = await changePrice()
  expect(await priceFor(stranger)).toBe(price)
  // Its position may be after that of the promoted server.
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  const standbys = await open(left, standby, log)
  await vi.waitFor(() => expect(lines.join('')).toContain('not known to follow this primary'), 10_000)
  expect(standbys.choose(null)).toBeNull()
  await standbys.close()
})

async function open(reads: PostgresServer, { url }: PostgresServer, log = pino({ level: 'silent' })) {
  const client = new pg.Client(url)
  await client.connect()
  const identity = await readIdentity(client)
  await client.end()
  return openStandbys({ address: reads.url, primary: { connectionString: url }, identity, max: 2, log })
}

async function startServer() {
  const port = await freePort()
  const server = startServerProcess(
    {
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: standby.url,
      DATA_DIR: createTestFolder(onCleanup),
      PORT: '0',
      METRICS_PORT: String(port),
      DEMO: '0',
      RATE_LIMITS: 'off',
    },
    onCleanup,
  )
  await server.says('Keyturn is ready')
  metricsAddresses.push(`http://127.0.0.1:${port}/metrics`)
  return server
}

const readMetrics = () => Promise.all(metricsAddresses.map((address) => fetchMetrics(address)))

/** Waits until every server finds the standby in this state. */
const standbyIs = (state: 'usable' | 'unusable') =>
  vi.waitFor(async () => {
    for (const text of await readMetrics())
      expect(readMetric(text, 'keyturn_read_standbys', { state })).toBe(1)
  }, 20_000)

const countReads = async (node: string): Promise<number> =>
  (await readMetrics())
    .map((text) => readMetric(text, 'keyturn_reads_total', { node }) ?? 0)
    .reduce((sum, count) => sum + count)

const queriesOf = async (server: PostgresServer) =>
  (
    await server.query<{ query: string }>(
      `select query from pg_stat_activity where backend_type = 'client backend'`,
    )
  ).map(({ query }) => query)

const carLink = () => ({ params: { userId: seller.id, vin: car.vin } })
const priceFor = async (browser: Browser) => (await browser.ask(readPublicCar, carLink())).car.price
const carsOf = (person: TestPerson) => person.ask(listCarsOfUser, { params: { userId: person.id } })
const pricesOf = async (person: TestPerson) => (await carsOf(person)).map(({ price }) => price)

let dollars = 5_000

/** Returns the new price as responses have it. */
async function changePrice() {
  dollars++
  const changed = await seller.ask(updatePrice, { params: { carId: car._id }, body: { newPrice: dollars } })
  return changed.price
}
