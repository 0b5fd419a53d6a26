import { readdirSync, readFileSync, statSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { postgresOn, until } from './db/embedded/separate-starts.ts'
import { openHouse } from './test/house.ts'
import { aBuyer } from './test/people.ts'
import { aFolder, type Started, start } from './test/start.ts'

// The real server in processes of its own: how it refuses to start, and how it ends.

const house = await openHouse()
const on = (DATABASE_URL: string) => ({ DATABASE_URL, DATA_DIR: aFolder(), PORT: '0', DEMO: '0' })

test('each refusal is one line that names what to do, with exit code 1', async () => {
  const port = String(portOf(await listening()))
  const newer = await openHouse()
  await newer.query("insert into migrations (name) values ('9998-cars.sql'), ('9999-boats.sql')")
  const login = 'postgres://keyturn:open-sesame-42'
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: port }, /^Port \d+ on 127\.0\.0\.1 is taken by another program\. Set PORT to a free one\.\n$/],
    [{ HOST: 'no-such-host.invalid' }, /^Keyturn cannot listen on no-such-host\.invalid:0: .*\n$/],
    [
      { DATABASE_URL: `${login}@127.0.0.1:1/cars` },
      /^The database 127\.0\.0\.1:1\/cars cannot be used: .*\n$/,
    ],
    [
      { DATABASE_URL: newer.databaseUrl },
      /^This database was brought up to date by a newer Keyturn: it has taken the step 9999-boats\.sql, .*\n$/,
    ],
    [{ DATABASE_URL: `${login}/2@127.0.0.1/cars` }, /^Setting DATABASE_URL is unfit: .*percent.*\n$/],
  ]
  const starts = cases.map(async ([settings, line]) => {
    const refused = start({ ...on(house.databaseUrl), ...settings })
    expect(await refused.ended, refused.err()).toBe(1)
    expect(refused.err()).toMatch(line)
    expect(refused.err().trim()).not.toContain('\n')
    expect(refused.out() + refused.err()).not.toContain('sesame')
  })
  await Promise.all(starts)
})

test('a start can be ended at any moment; a data folder is one process’s alone; kill -9 leaves no database behind', async () => {
  const dataDir = join(aFolder(), 'data')
  const settings = { DATA_DIR: dataDir, PORT: '0' }
  const databases = () => postgresOn(join(dataDir, 'postgres'))
  for (const moment of ['Making the database', 'Making the demo people']) {
    const ended = start(settings)
    await ended.says(moment)
    ended.send('SIGINT')
    // Ctrl-C reaches npm as well, and npm sends it on.
    ended.send('SIGINT')
    expect(await ended.ended, ended.err()).toBe(0)
    expect(ended.err()).toBe('')
    expect(ended.out().trim().split('\n').at(-1)).toContain(moment)
    expect(databases()).toEqual([])
    const left = readdirSync(dataDir).filter((name) => !name.endsWith('.log'))
    expect(left.sort()).toEqual(['postgres', 'session-secret'])
  }
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(statSync(join(dataDir, 'keyturn.log')).mode & 0o777).toBe(0o600)

  const running = start({ ...settings, DEMO: '0' })
  await running.says('Keyturn is ready')
  expect(running.out()).not.toContain('interrupted')
  const refused = start(settings)
  expect(await refused.ended).toBe(1)
  expect(refused.err()).toBe(
    `The data folder ${dataDir} is in use by process ${running.pid}: stop that one first, or set DATA_DIR to another folder.\n`,
  )
  expect((await fetch(`${addressOf(running)}/health/ready`)).status).toBe(200)
  running.send('SIGKILL')
  expect(await running.ended).toBe(null)
  await until(() => databases().length === 0)
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toMatch(/not properly shut down/)
})

test('the pool is as large as it was set, and never larger', async () => {
  const pooled = await openHouse()
  const address = new URL(pooled.databaseUrl)
  address.searchParams.set('application_name', 'pooled')
  const server = start({ ...on(address.href), DATABASE_CONNECTIONS: '3' })
  await server.says('Keyturn is ready')
  for (let round = 0; round < 5; round++)
    await Promise.all(Array.from({ length: 40 }, () => fetch(`${addressOf(server)}/health/ready`)))
  const open = "select 1 from pg_stat_activity where application_name = 'pooled'"
  // One more looks for jobs; the one that migrated may take a moment to leave.
  await vi.waitFor(async () => expect(await pooled.query(open)).toHaveLength(3 + 1), 10_000)
})

test('SIGTERM while another server migrates or makes the demo: it ends with 0 and without a word', async () => {
  const other = await openHouse()
  const ends = [
    [house, 7_165_011, '0'],
    [other, 7_165_012, '1'],
  ] as const
  await Promise.all(
    ends.map(async ([{ databaseUrl }, lock, DEMO]) => {
      const holder = await connected(databaseUrl)
      await holder.query('select pg_advisory_lock($1)', [lock])
      const waiting = start({ ...on(databaseUrl), DEMO })
      await untilSomebodyWaits(holder)
      waiting.send('SIGTERM')
      expect(await waiting.ended, waiting.err()).toBe(0)
      expect(waiting.err()).toBe('')
    }),
  )
})

test('SIGTERM while a mail server keeps silent: it ends with 0 in a few seconds', async () => {
  const silent = await listening()
  const called = new Promise((resolve) => silent.once('connection', resolve))
  const { email } = await aBuyer(house)
  const server = start({ ...on(house.databaseUrl), SMTP_URL: `smtp://127.0.0.1:${portOf(silent)}` })
  await server.says('Keyturn is ready')
  const forgot = await fetch(`${addressOf(server)}/auth/password/forgot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ email }),
  })
  expect(forgot.status).toBe(200)
  await called
  const asked = performance.now()
  server.send('SIGTERM')
  expect(await server.ended, server.err()).toBe(0)
  expect(performance.now() - asked).toBeLessThan(8_000)
  expect(server.err()).toBe('')
})

/** Takes connections and never says a word. */
async function listening(): Promise<Server> {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return server
}

const addressOf = (server: Started) => /ready: (\S+)/.exec(server.out())?.[1]

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function untilSomebodyWaits(client: pg.Client): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await client.query(waiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 20))
}
