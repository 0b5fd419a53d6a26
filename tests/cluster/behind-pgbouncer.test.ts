// @module-tag full

import { forgotPassword } from '@keyturn/contract/accounts/endpoints.ts'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { verifyDatabase } from '../../server/modules/agreements/verification/verify-database.ts'
import { addSignalId, encodeChangeSignal } from '../../server/modules/notifications/events/signal.ts'
import { openDatabase } from '../../server/platform/database/open-database.ts'
import { cookieHeaderOf, createBrowserAt } from '../support/browser-at.ts'
import { withDatabaseHost } from '../support/database/database.ts'
import { aBuyer, aSeller } from '../support/people.ts'
import { aCarForm, aSaleAt, readProgressOf } from '../support/sales/deals.ts'
import {
  cleanupAfterFile,
  createTestFolder,
  runCommand,
  serverAddress,
  startServerProcess,
} from '../support/server-process.ts'
import { startSmtpReceiver } from '../support/smtp-receiver.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { isPgBouncerInstalled, startPgBouncer } from './pgbouncer.ts'

// DATABASE_URL points to PgBouncer in transaction mode, DATABASE_DIRECT_URL past it (decision 56).

const onCleanup = cleanupAfterFile()

const isInstalled = isPgBouncerInstalled()
const skipReason = isInstalled ? '' : ' (left out: pgbouncer is not installed)'
const pooler = isInstalled ? await startPgBouncer(inject('database'), onCleanup) : ''
const testServer = await startTestServer({}, pooler || undefined)
const pooledUrl = withDatabaseHost(testServer.databaseUrl, pooler || 'localhost')

describe.skipIf(!isInstalled)(`behind PgBouncer${skipReason}`, () => {
  // R-everywhere-52
  test('starts a server process, runs its jobs and streams events to open pages', async () => {
    const mails = await startSmtpReceiver()
    const settings = {
      ...pooledSettings(testServer),
      DATABASE_OWNER_URL: testServer.ownerUrl,
      DATA_DIR: createTestFolder(),
    }
    const server = startServerProcess({ ...settings, PORT: '0', DEMO: '0', SMTP_URL: mails.url })
    await server.says('Keyturn is ready')
    const buyer = await aBuyer(testServer)
    const events = await fetch(`${serverAddress(server)}/events`, {
      headers: { cookie: cookieHeaderOf(buyer) },
    })
    const reader = events.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).not.toBe('')
    const signal = addSignalId(encodeChangeSignal({ users: [buyer.id], wholesalers: false, rooms: ['cars'] }))
    await testServer.deps.pool.query({
      name: 'notify',
      text: `select pg_notify('keyturn', $1)`,
      values: [signal],
    })
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('cars')
    await reader?.cancel()
    await createBrowserAt(() => serverAddress(server)).ask(forgotPassword, { body: { email: buyer.email } })
    await vi.waitFor(() => expect(mails.received.map(({ to }) => to)).toContain(buyer.email), 60_000)
    const verified = await runCommand('verify-agreements', settings)
    expect(verified, verified.err).toMatchObject({ code: 0 })
  }, 60_000)

  // R-everywhere-52
  test('completes a sale with its evidence while other people add cars', async () => {
    const sellers = await Promise.all(Array.from({ length: 4 }, () => aSeller(testServer)))
    const adding = sellers.map(async (seller) => {
      for (let i = 0; i < 10; i++) expect((await seller.send(addCar, { body: aCarForm() })).status).toBe(201)
    })
    const sale = await aSaleAt(testServer, 'completed')
    await Promise.all(adding)
    expect(await readProgressOf(sale)).toMatchObject({ fullySigned: true, completed: true })
    expect(await verifyDatabase(testServer.deps.db, testServer.deps.pictures, [], () => {})).toBe(0)
    const connections = await testServer.query(
      `select from pg_stat_activity where usename = 'keyturn_app' and datname = current_database()`,
    )
    // The limit is PgBouncer's pool, not the twenty connections of the server's pool.
    expect(connections.length).toBeLessThanOrEqual(3)
  })

  // R-everywhere-52
  test('applies the statement timeout and turns off JIT compilation', async () => {
    const { rows } =
      await testServer.deps.pool.query(`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as transaction, current_setting('jit') as jit`)
    expect(rows).toEqual([{ statement: '5s', transaction: '10s', jit: 'off' }])
    // Commands bypass PgBouncer and have no statement timeout.
    const direct = openDatabase({ connectionString: testServer.databaseUrl, statement_timeout: 0 })
    onTestFinished(direct.close)
    expect((await direct.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }])
  })

  test('reports missing or contradictory settings in one line', async () => {
    const other = await startTestServer()
    const common = { DATA_DIR: createTestFolder(), PORT: '0', DEMO: '0' }
    for (const [settings, line] of [
      [
        { DATABASE_URL: pooledUrl },
        /^The database \S+ cannot be used: .*startup parameter.*DATABASE_DIRECT_URL names the database itself\.\n$/,
      ],
      [
        { ...pooledSettings(testServer), DATABASE_DIRECT_URL: other.databaseUrl },
        /^DATABASE_URL and DATABASE_DIRECT_URL must be addresses of the same database and user\.\n$/,
      ],
    ] as const) {
      const failing = startServerProcess({ ...common, ...settings })
      expect(await failing.ended).toBe(1)
      expect(failing.err()).toMatch(line)
    }
    const query = `select from pg_db_role_setting join pg_database on setdatabase = pg_database.oid where datname = current_database()`
    expect(await other.query(query)).toEqual([])
  })
})

const pooledSettings = ({ databaseUrl }: TestServer) => ({
  DATABASE_URL: pooledUrl,
  DATABASE_DIRECT_URL: databaseUrl,
})
