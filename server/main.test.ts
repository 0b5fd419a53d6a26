// @module-tag full

import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { forgotPassword } from '@keyturn/contract/accounts/endpoints.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createBrowserAt } from '../tests/support/browser-at.ts'
import { createLegalTexts } from '../tests/support/legal-texts.ts'
import { aBuyer } from '../tests/support/people.ts'
import { connectClient, waitForLockWait } from '../tests/support/second-session.ts'
import {
  createTestFolder,
  minimalSettings,
  type ServerProcess,
  serverAddress,
  startServerProcess,
} from '../tests/support/server-process.ts'
import { startTestServer } from '../tests/support/test-server.ts'
import { postgresOn } from './integrations/embedded-postgres/separate-starts.ts'

// Runs the real server in separate processes: failed starts and shutdowns.

const testServer = await startTestServer()

test('exits with 1 and one line that says what to fix when it cannot start', async () => {
  const port = String(portOf(await listening()))
  const newer = await startTestServer()
  await newer.query("insert into migrations (name) values ('9998-cars.sql'), ('9999-boats.sql')")
  const login = 'postgres://keyturn:open-sesame-42'
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: port }, /^Port \d+ on 127\.0\.0\.1 is used by another program\. Set PORT to a free one\.\n$/],
    [{ HOST: 'no-such-host.invalid' }, /^Keyturn cannot listen on no-such-host\.invalid:0: .*\n$/],
    [
      { DATABASE_URL: `${login}@127.0.0.1:1/cars` },
      /^The database 127\.0\.0\.1:1\/cars cannot be used: .*\n$/,
    ],
    [
      { DATABASE_URL: newer.databaseUrl },
      /^A newer Keyturn migrated this database: this version does not know the migration 9999-boats\.sql\. .*\n$/,
    ],
    [{ DATABASE_URL: `${login}/2@127.0.0.1/cars` }, /^Setting DATABASE_URL is invalid: .*percent.*\n$/],
  ]
  const starts = cases.map(async ([settings, line]) => {
    const refused = startServerProcess({ ...minimalSettings(testServer.databaseUrl), ...settings })
    expect(await refused.ended, refused.err()).toBe(1)
    expect(refused.err()).toMatch(line)
    expect(refused.err().trim()).not.toContain('\n')
    expect(refused.out() + refused.err()).not.toContain('sesame')
  })
  await Promise.all(starts)
})

// R-everywhere-61
test('refuses sample texts in production unless they are allowed or replaced', async () => {
  const production = {
    ...minimalSettings(testServer.databaseUrl),
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://127.0.0.1:3000',
    ADMIN_TOTP_SECRET: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    ADMIN_EMAIL: 'operator@keyturn.example',
    CONTACT_ADDRESS: '100 Main Street, Springfield, IL 62701',
  }
  const refused = startServerProcess(production)
  expect(await refused.ended, refused.err()).toBe(1)
  expect(refused.err()).toBe(
    'NODE_ENV=production needs LEGAL_TEXTS_FOLDER, with your privacy policy, terms and agreement, or ALLOW_SAMPLE_TEXTS=1 to show samples.\n',
  )
  for (const [name, value] of [
    ['LEGAL_TEXTS_FOLDER', createLegalTexts()],
    ['ALLOW_SAMPLE_TEXTS', '1'],
  ] as const)
    await startServerProcess({ ...production, [name]: value }).says('Keyturn is ready')
})

test('can be stopped at any point of the start, and removes an incomplete database', async () => {
  const dataDir = join(createTestFolder(), 'data')
  const settings = { DATA_DIR: dataDir, PORT: '0', SESSION_SECRET: '' }
  const madeBy = {
    'Creating the database': ['evidence-key', 'push-key', 'session-secret'],
    'Creating the demo accounts': ['evidence-key', 'photos', 'postgres', 'push-key', 'session-secret'],
  }
  for (const moment of ['Creating the database', 'Creating the demo accounts'] as const) {
    const ended = startServerProcess(settings)
    await ended.says(moment)
    ended.send('SIGINT')
    // Ctrl-C reaches npm as well, which forwards it.
    ended.send('SIGINT')
    expect(await ended.ended, ended.err()).toBe(0)
    expect(ended.err()).toBe('')
    expect(ended.out().trim().split('\n').at(-1)).toContain(moment)
    expect(postgresOn(join(dataDir, 'postgres'))).toEqual([])
    const left = readdirSync(dataDir).filter((name) => !name.endsWith('.log'))
    expect(left.sort()).toEqual(madeBy[moment])
  }
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(statSync(join(dataDir, 'keyturn.log')).mode & 0o777).toBe(0o600)
})

// R-safe-7
test('migrates as the owner of the tables and serves as a role that cannot change evidence', async () => {
  const [own, other] = [await startTestServer(), await startTestServer()]
  const role = `serves_${process.pid}`
  await own.query(`create role ${role} login password '${role}'`)
  onTestFinished(async () => {
    await own.query(`drop owned by ${role}; drop role ${role}`)
  })
  const as = (databaseUrl: string) => {
    const url = new URL(databaseUrl)
    url.username = role
    url.password = role
    return url.href
  }
  const hint = 'Evidence is guarded by triggers alone'
  const alone = startServerProcess(minimalSettings(own.ownerUrl))
  await alone.says('Keyturn is ready')
  expect(
    alone
      .out()
      .split('\n')
      .filter((line) => line.includes(hint)),
  ).toHaveLength(1)
  const cases: [Record<string, string>, RegExp][] = [
    // The role has no grants yet.
    [
      minimalSettings(as(own.databaseUrl)),
      /^The database \S+ cannot be used: .*permission denied.*\. DATABASE_OWNER_URL names the user who may change the tables\.\n$/,
    ],
    [
      { ...minimalSettings(as(other.databaseUrl)), DATABASE_OWNER_URL: own.ownerUrl },
      /^DATABASE_URL and DATABASE_OWNER_URL must be addresses of the same database\.\n$/,
    ],
    [
      { DATA_DIR: createTestFolder(), PORT: '0', DATABASE_OWNER_URL: own.ownerUrl },
      /^DATABASE_OWNER_URL needs DATABASE_URL/,
    ],
    [{ ...minimalSettings(own.databaseUrl), DEMO: '1' }, /^DEMO=1 needs DATABASE_OWNER_URL/],
  ]
  for (const [settings, line] of cases) {
    const refused = startServerProcess(settings)
    expect(await refused.ended, refused.err()).toBe(1)
    expect(refused.err()).toMatch(line)
  }
  const both = { ...minimalSettings(as(own.databaseUrl)), DATABASE_OWNER_URL: own.ownerUrl, DEMO: '1' }
  const server = startServerProcess(both)
  await server.says('Keyturn is ready')
  expect(server.out()).not.toContain(hint)
  expect((await fetch(`${serverAddress(server)}/health/ready`)).status).toBe(200)
  const client = await connectClient(as(own.databaseUrl))
  const { rows } = await client.query('select count(*)::int as count from signatures')
  expect(rows[0]?.count).toBeGreaterThan(0)
  await expect(client.query('delete from signatures')).rejects.toMatchObject({ code: '42501' })
  // Another server may run next to this one without the owner's address.
  const second = startServerProcess(minimalSettings(as(own.databaseUrl)))
  await second.says('Keyturn is ready')
})

test('opens exactly as many pool connections as configured', async () => {
  const pooled = await startTestServer()
  const address = new URL(pooled.databaseUrl)
  address.searchParams.set('application_name', 'pooled')
  const server = startServerProcess({ ...minimalSettings(address.href), DATABASE_CONNECTIONS: '3' })
  await server.says('Keyturn is ready')
  for (let round = 0; round < 5; round++)
    await Promise.all(Array.from({ length: 40 }, () => fetch(`${serverAddress(server)}/health/ready`)))
  const open = "select 1 from pg_stat_activity where application_name = 'pooled'"
  // One more connection looks for jobs; the connection that ran the migrations may close a moment
  // later.
  await vi.waitFor(async () => expect(await pooled.query(open)).toHaveLength(3 + 1), 10_000)
})

test('exits with 0 and no output on SIGTERM while another server migrates or seeds', async () => {
  const other = await startTestServer()
  const waitsForTurn = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and (query like '%pg_try_advisory_lock(%' or wait_event_type = 'Lock')`
  const ends = [
    [testServer, 7_165_011, '0'],
    [other, 7_165_012, '1'],
  ] as const
  await Promise.all(
    ends.map(async ([{ ownerUrl, query }, lock, DEMO]) => {
      const holder = await connectClient(ownerUrl)
      await holder.query('select pg_advisory_lock($1)', [lock])
      const waiting = startServerProcess({ ...minimalSettings(ownerUrl), DEMO })
      // Migrations poll for their lock; the seed waits for its own.
      await vi.waitFor(async () => expect(await query(waitsForTurn)).not.toEqual([]), 30_000)
      waiting.send('SIGTERM')
      expect(await waiting.ended, waiting.err()).toBe(0)
      expect(waiting.err()).toBe('')
    }),
  )
})

test('exits with 0 within seconds of SIGTERM while a mail server does not respond', async () => {
  const silent = await listening()
  const called = new Promise((resolve) => silent.once('connection', resolve))
  const { email } = await aBuyer(testServer)
  const server = startServerProcess({
    ...minimalSettings(testServer.databaseUrl),
    SMTP_URL: `smtp://127.0.0.1:${portOf(silent)}`,
  })
  await server.says('Keyturn is ready')
  expect((await askForPassword(server, email)).status).toBe(200)
  await called
  const asked = performance.now()
  server.send('SIGTERM')
  expect(await server.ended, server.err()).toBe(0)
  expect(performance.now() - asked).toBeLessThan(8_000)
  expect(server.err()).toBe('')
})

test('completes a slow request after SIGTERM, and is not delayed by an idle connection', async () => {
  const { email } = await aBuyer(testServer)
  const holder = await connectClient(testServer.databaseUrl)
  const server = startServerProcess(minimalSettings(testServer.databaseUrl))
  await server.says('Keyturn is ready')
  // Opens an idle connection, like a browser's preconnect.
  const silent = connect(Number(new URL(serverAddress(server)).port), '127.0.0.1')
  onTestFinished(() => void silent.destroy())
  await once(silent, 'connect')
  await holder.query('begin')
  await holder.query('lock table users')
  const asked = askForPassword(server, email)
  await waitForLockWait(testServer)
  server.send('SIGTERM')
  // Shorter than the grace period of a shutdown and than PostgreSQL's statement_timeout of five
  // seconds.
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  await holder.query('commit')
  const released = performance.now()
  expect((await asked).status).toBe(200)
  expect(await server.ended, server.err()).toBe(0)
  expect(performance.now() - released).toBeLessThan(4_000)
})

// log.test.ts covers what happens to the log lines.
test.each(['ended', 'stalled'] as const)(
  'serves and ends normally when the reader of its standard output has %s',
  async (how) => {
    const server = startServerProcess({
      ...minimalSettings(testServer.databaseUrl),
      LOG_TO: 'stdout',
      LOG_LEVEL: 'debug',
      RATE_LIMITS: 'off',
    })
    await server.says('Keyturn is ready')
    server.stopReading(how)
    for (let round = 0; round < 80; round++)
      for (const { status } of await Promise.all(
        Array.from({ length: 20 }, () => ask(server, '/health/live')),
      ))
        expect(status).toBe(200)
    await endsSoon(server)
    expect(server.err()).toMatch(
      /^The log cannot be written.*(EPIPE|EAGAIN|the reader is too slow).*\n\d+ lines of the log could not be written\.\n$/,
    )
  },
)

test('reopens the log on SIGUSR2 after it was moved', async () => {
  const settings = { ...minimalSettings(testServer.databaseUrl), LOG_LEVEL: 'debug' }
  const log = join(settings.DATA_DIR, 'keyturn.log')
  const server = startServerProcess(settings)
  await server.says('Keyturn is ready')
  const isLogged = () => vi.waitFor(() => expect(readFileSync(log, 'utf8')).toContain('/health/live'), 30_000)
  await fetch(`${serverAddress(server)}/health/live`)
  await isLogged()
  renameSync(log, `${log}.1`)
  server.send('SIGUSR2')
  await vi.waitFor(() => expect(existsSync(log)).toBe(true), 30_000)
  await fetch(`${serverAddress(server)}/health/live`)
  await isLogged()
  await endsSoon(server)
})

const ask = (server: ServerProcess, path: string) => fetch(serverAddress(server) + path)

async function endsSoon(server: ServerProcess): Promise<void> {
  const asked = performance.now()
  server.send('SIGTERM')
  expect(await server.ended, server.err()).toBe(0)
  expect(performance.now() - asked).toBeLessThan(9_000)
}

/** Accepts connections and never answers. */
async function listening(): Promise<Server> {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return server
}

const askForPassword = (server: ServerProcess, email: string) =>
  createBrowserAt(() => serverAddress(server)).send(forgotPassword, { body: { email } })

const portOf = (server: Server) => (server.address() as AddressInfo).port
