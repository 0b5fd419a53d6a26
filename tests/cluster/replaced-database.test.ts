// @module-tag full

import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { readIdentity } from '../../server/platform/database/connections/identity-check.ts'
import { openSessionClient } from '../../server/platform/database/connections/primary-clients.ts'
import { openDatabase } from '../../server/platform/database/open-database.ts'
import { toApiError } from '../../server/platform/http/error-handlers.ts'
import { createBrowserAt } from '../support/browser-at.ts'
import { withDatabaseHost, withDatabaseName, withServingRole } from '../support/database/database.ts'
import { startLossyProxy } from '../support/http/lossy-proxy.ts'
import { aSeller } from '../support/people.ts'
import { aCarForm } from '../support/sales/deals.ts'
import {
  cleanupAfterFile,
  createTestFolder,
  serverAddress,
  startServerProcess,
} from '../support/server-process.ts'
import { isPgBouncerInstalled, startPgBouncer } from './pgbouncer.ts'
import { startPostgresServer } from './postgres-server.ts'
import { prepareReplacement, queryOnce } from './replacement.ts'

// The URL of a database leads to a copy of it with the same users (decision 58).

const onCleanup = cleanupAfterFile()

const cluster = inject('database')
const patience = { timeout: 60_000, interval: 50 }

// R-everywhere-53
test('neither reads, writes nor runs jobs on a copy that replaced its database', async () => {
  const database = await createDatabase()
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: createTestFolder(),
    PORT: '0',
    DEMO: '0',
    LOG_LEVEL: 'error',
  }
  const server = startServerProcess(settings)
  await server.says('Keyturn is ready')
  let current = server
  const seller = await aSeller({
    browser: () => createBrowserAt(() => serverAddress(current)),
    query: database.query,
  })
  const add = (key: string, vin = aCarForm().vin) =>
    seller.send(addCar, { body: { ...aCarForm(), vin } }, { 'idempotency-key': key })
  expect((await add(randomUUID())).status).toBe(201)
  const due = `select from jobs where name = 'clean-accounts' and run_at = '2000-01-01'`
  const log = () => readFileSync(join(settings.DATA_DIR, 'keyturn.log'), 'utf8')

  await database.replace(`update jobs set run_at = '2000-01-01' where name = 'clean-accounts'`)
  await vi.waitFor(() => expect(log()).toContain('is another database'), patience)
  const ready = async () => (await fetch(`${serverAddress(server)}/health/ready`)).status
  const [key, { vin }] = [randomUUID(), aCarForm()]
  for (let i = 0; i < 20; i++) {
    const response = await add(key, vin)
    expect([response.status, response.headers['retry-after']]).toEqual([503, '5'])
    expect(await ready()).toBe(503)
  }
  expect(await database.query(due)).toHaveLength(1)
  expect(await database.query('select from cars')).toHaveLength(1)

  await database.replace()
  await vi.waitFor(async () => expect(await ready()).toBe(200), patience)
  expect((await add(key, vin)).status).toBe(201)
  expect((await add(key, vin)).status).toBe(201)
  expect(await database.query('select from cars')).toHaveLength(2)
  expect(log().match(/the database was replaced by another/g)).toHaveLength(1)

  // A server that first starts on the copy uses the copy.
  await database.replace()
  const other = startServerProcess({ ...settings, DATA_DIR: createTestFolder() })
  await other.says('Keyturn is ready')
  current = other
  expect((await add(randomUUID())).status).toBe(201)
  await vi.waitFor(async () => expect(await database.query(due)).toEqual([]), patience)
})

// R-everywhere-53
test.skipIf(!isPgBouncerInstalled())('uses no other database when a pooler switches to one', async () => {
  const database = await createDatabase()
  const pooler = await startPgBouncer(cluster, onTestFinished)
  const url = withServingRole(database.url)
  const identity = await database.identity()
  const { pool, close } = openDatabase({
    connectionString: withDatabaseHost(url, pooler),
    direct: url,
    served: { identity },
    max: 3,
  })
  onTestFinished(close)
  const marks = () => pool.query<{ name: string }>(`select name from jobs where name = 'mark'`)
  const runThree = () => Promise.allSettled([marks(), marks(), marks()])
  const listener = openSessionClient(pool)
  const lost = new Promise((resolve) => listener.on('error', resolve))
  await listener.connect()
  await runThree()
  const held = await pool.connect()
  await database.replace(`insert into jobs (name) values ('mark')`)
  await lost
  held.release()
  for (const result of await runThree()) {
    expect(result.status).toBe('rejected')
    expect(toApiError((result as PromiseRejectedResult).reason)?.code).toBe('Unavailable')
  }
  await database.replace()
  await vi.waitFor(async () => expect((await marks()).rows).toEqual([]), patience)
})

// R-everywhere-53
test('connects to its database when another host responds first', async () => {
  const database = await createDatabase()
  const otherServer = await startPostgresServer({}, onCleanup)
  // The other host must always respond first.
  const delayed = await startLossyProxy(database.url)
  onTestFinished(delayed.close)
  delayed.delay(20)
  const { host, pathname, username } = new URL(delayed.connectionString)
  await otherServer.query(`create role "${username}" superuser login`).catch(() => {})
  await otherServer.query(`create database ${pathname.slice(1)}`)
  const { pool, close } = openDatabase({
    connectionString: `postgres://${username}@${otherServer.host},${host}${pathname}`,
    served: { identity: await database.identity() },
    idleTimeoutMillis: 1,
  })
  onTestFinished(close)
  for (let i = 0; i < 10; i++) {
    expect((await pool.query('select from cars')).rowCount).toBe(0)
    await vi.waitFor(() => expect(pool.totalCount).toBe(0))
  }
})

// R-everywhere-53
test('identifies a database by its tables when the cluster identifier is hidden', async () => {
  const database = await createDatabase()
  const fullIdentity = await database.identity()
  await database.query('revoke execute on function pg_control_system() from public')
  const [partial, ...others] = [
    await database.identity(withServingRole(database.url)),
    await database.identity(),
  ]
  expect(others).toEqual([fullIdentity])
  expect(fullIdentity).toBe(`${fullIdentity.split(' ')[0]} ${partial}`)
  expect(partial.split(' ')).toHaveLength(2)
})

/** Creates a migrated database that can be replaced by a copy. */
async function createDatabase() {
  const name = `replaced_${randomBytes(4).toString('hex')}`
  const url = withDatabaseName(cluster, name)
  const copy = prepareReplacement(cluster, name)
  await queryOnce(cluster, `create database ${name} template ${inject('template')}`)
  onTestFinished(async () => {
    await copy.drop()
    await queryOnce(cluster, `drop database ${name} with (force)`)
  })
  return {
    url,
    query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      queryOnce<Row>(url, text, values),
    replace: copy.swap,
    async identity(at = url) {
      const client = new pg.Client({ connectionString: at })
      await client.connect()
      return readIdentity(client).finally(() => client.end())
    },
  }
}
