// @module-tag full

import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { readIdentity } from '../../server/platform/database/connections/identity.ts'
import { openSessionClient } from '../../server/platform/database/connections/primary-clients.ts'
import { openDatabase } from '../../server/platform/database/open-database.ts'
import { toApiError } from '../../server/platform/http/errors.ts'
import { browserAt } from '../support/at-address.ts'
import { asServing, atHost, onDatabase } from '../support/database/database.ts'
import { aSeller } from '../support/people.ts'
import { openProxy } from '../support/proxy.ts'
import { aCarForm } from '../support/sales/deals.ts'
import { addressOf, aFolder, endOfFile, start } from '../support/start.ts'
import { aPostgres } from './own-postgres.ts'
import { isPgBouncerThere, startPgBouncer } from './pgbouncer.ts'
import { aReplacement, askOnce } from './replacement.ts'

// The address of a database leads to another one, a copy with the same people (decision 58).

const atTheEnd = endOfFile()

const cluster = inject('database')
const patience = { timeout: 60_000, interval: 50 }

// R-everywhere-53
test('neither reads, writes nor runs jobs on a copy that replaced its database, until the next start', async () => {
  const place = await aDatabase()
  const settings = { DATABASE_URL: place.url, DATA_DIR: aFolder(), PORT: '0', DEMO: '0', LOG_LEVEL: 'error' }
  const server = start(settings)
  await server.says('Keyturn is ready')
  let at = server
  const seller = await aSeller({ browser: () => browserAt(() => addressOf(at)), query: place.ask })
  const add = (key: string, vin = aCarForm().vin) =>
    seller.send(addCar, { body: { ...aCarForm(), vin } }, { 'idempotency-key': key })
  expect((await add(randomUUID())).status).toBe(201)
  const due = `select from jobs where name = 'clean-accounts' and run_at = '2000-01-01'`
  const log = () => readFileSync(join(settings.DATA_DIR, 'keyturn.log'), 'utf8')

  await place.replace(`update jobs set run_at = '2000-01-01' where name = 'clean-accounts'`)
  await vi.waitFor(() => expect(log()).toContain('is another database'), patience)
  const ready = async () => (await fetch(`${addressOf(server)}/health/ready`)).status
  const [key, { vin }] = [randomUUID(), aCarForm()]
  for (let asked = 0; asked < 20; asked++) {
    const refused = await add(key, vin)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(await ready()).toBe(503)
  }
  expect(await place.ask(due)).toHaveLength(1)
  expect(await place.ask('select from cars')).toHaveLength(1)

  await place.replace()
  await vi.waitFor(async () => expect(await ready()).toBe(200), patience)
  expect((await add(key, vin)).status).toBe(201)
  expect((await add(key, vin)).status).toBe(201)
  expect(await place.ask('select from cars')).toHaveLength(2)
  expect(log().match(/the database was replaced by another/g)).toHaveLength(1)

  // A server that starts with the copy uses the copy.
  await place.replace()
  const other = start({ ...settings, DATA_DIR: aFolder() })
  await other.says('Keyturn is ready')
  at = other
  expect((await add(randomUUID())).status).toBe(201)
  await vi.waitFor(async () => expect(await place.ask(due)).toEqual([]), patience)
})

// R-everywhere-53
test.skipIf(!isPgBouncerThere())(
  'does not follow a pooler that switches to another database until it switches back',
  async () => {
    const place = await aDatabase()
    const pooler = await startPgBouncer(cluster, onTestFinished)
    const url = asServing(place.url)
    const identity = await place.identity()
    const { pool, close } = openDatabase({
      connectionString: atHost(url, pooler),
      direct: url,
      served: { identity },
      max: 3,
    })
    onTestFinished(close)
    const marks = () => pool.query<{ name: string }>(`select name from jobs where name = 'mark'`)
    const everybody = () => Promise.allSettled([marks(), marks(), marks()])
    const beside = openSessionClient(pool)
    const lost = new Promise((resolve) => beside.on('error', resolve))
    await beside.connect()
    await everybody()
    const held = await pool.connect()
    await place.replace(`insert into jobs (name) values ('mark')`)
    await lost
    held.release()
    for (const asked of await everybody()) {
      expect(asked.status).toBe('rejected')
      expect(toApiError((asked as PromiseRejectedResult).reason)?.code).toBe('Unavailable')
    }
    await place.replace()
    await vi.waitFor(async () => expect((await marks()).rows).toEqual([]), patience)
  },
)

// R-everywhere-53
test('connects to the one of several hosts that has its database', async () => {
  const place = await aDatabase()
  const stranger = await aPostgres({}, atTheEnd)
  // The other host must always answer first.
  const far = await openProxy(place.url)
  onTestFinished(far.close)
  far.delay(20)
  const { host, pathname, username } = new URL(far.connectionString)
  await stranger.ask(`create role "${username}" superuser login`).catch(() => {})
  await stranger.ask(`create database ${pathname.slice(1)}`)
  const { pool, close } = openDatabase({
    connectionString: `postgres://${username}@${stranger.host},${host}${pathname}`,
    served: { identity: await place.identity() },
    idleTimeoutMillis: 1,
  })
  onTestFinished(close)
  for (let asked = 0; asked < 10; asked++) {
    expect((await pool.query('select from cars')).rowCount).toBe(0)
    await vi.waitFor(() => expect(pool.totalCount).toBe(0))
  }
})

// R-everywhere-53
test('identifies a database by its tables when the service hides the cluster’s identifier', async () => {
  const place = await aDatabase()
  const whole = await place.identity()
  await place.ask('revoke execute on function pg_control_system() from public')
  const [known, ...more] = [await place.identity(asServing(place.url)), await place.identity()]
  expect(more).toEqual([whole])
  expect(whole).toBe(`${whole.split(' ')[0]} ${known}`)
  expect(known.split(' ')).toHaveLength(2)
})

/** Creates a migrated database that can be replaced by a copy. */
async function aDatabase() {
  const name = `replaced_${randomBytes(4).toString('hex')}`
  const url = onDatabase(cluster, name)
  const copy = aReplacement(cluster, name)
  await askOnce(cluster, `create database ${name} template ${inject('template')}`)
  onTestFinished(async () => {
    await copy.drop()
    await askOnce(cluster, `drop database ${name} with (force)`)
  })
  return {
    url,
    ask: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => askOnce<Row>(url, text, values),
    replace: copy.swap,
    async identity(at = url) {
      const client = new pg.Client({ connectionString: at })
      await client.connect()
      return readIdentity(client).finally(() => client.end())
    },
  }
}
