import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { aCarForm } from './deals.ts'
import { openHouse } from './house.ts'
import { aBuyer, aSeller } from './people.ts'
import { keepSecret } from './secrets.ts'

// Two processes of the real server on one database: what one knows of sessions and counters, the other knows too.

const house = await openHouse()
/** With the logs of all tests where those are kept: the same secrets are looked for in these. */
const dataDir = mkdtempSync(join(process.env.TEST_LOGS ?? tmpdir(), 'keyturn-two-'))
const [one, other] = await Promise.all([startServer('one'), startServer('other')])
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  if (!process.env.TEST_LOGS) rmSync(dataDir, { recursive: true, force: true })
})

test('who signs in at one is known to the other, and signing out there ends it here at once', async () => {
  const { email, password } = await aBuyer(house)
  const cookie = await signIn(one, email, password)
  expect((await other.get('/user', cookie)).status).toBe(200)
  expect((await other.get('/auth/logout', cookie)).status).toBe(200)
  for (const server of [one, other]) {
    const response = await server.get('/user', cookie)
    expect([response.status, (await response.json()).errorCode]).toEqual([401, 'InvalidAccessToken'])
  }
})

test('guesses at both are counted together', async () => {
  const { email } = await aBuyer(house)
  const statuses: number[] = []
  for (let guess = 0; guess < 8; guess++) {
    const server = guess % 2 ? one : other
    statuses.push((await server.login(email, `wrong guess ${guess}`)).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
})

test('guesses at both in the same moment are counted exactly', async () => {
  const { email } = await aBuyer(house)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, guess) =>
      (guess % 2 ? one : other).login(email, `another guess ${guess}`),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(35)
})

test('refreshed at both in the same moment, again and again, nobody is signed out', async () => {
  const { email, password } = await aBuyer(house)
  let cookie = await signIn(one, email, password)
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all(
      [one, other, one, other].map((server) => server.get('/auth/refresh', cookie)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    // One of them has made the next refresh token; a browser keeps it, whichever tab it came to.
    const inOrder = answers.map(cookiesOf).sort((a, b) => a.length - b.length)
    cookie = merged([cookie, ...inOrder])
    for (const server of [one, other]) expect((await server.get('/user', cookie)).status).toBe(200)
  }
})

test('the same intent at both has one effect', async () => {
  const { email, password } = await aSeller(house)
  const cookie = await signIn(one, email, password)
  const car = aCarForm()
  const answers = await Promise.all(
    [one, other, one, other].map((server) => server.post('/cars/input', cookie, car, 'one-intent')),
  )
  // A repeat while the first is still running is asked to wait, and gets the same answer later.
  for (const { status } of answers) expect([201, 409]).toContain(status)
  expect((await other.post('/cars/input', cookie, car, 'one-intent')).status).toBe(201)
  expect(await house.query('select id from cars where vin = $1', [car.vin])).toHaveLength(1)
})

async function signIn(server: Server, email: string, password: string): Promise<string> {
  const response = await server.login(email, password)
  expect(response.status).toBe(200)
  return cookiesOf(response)
}

function cookiesOf(response: Response): string {
  const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  for (const pair of pairs) keepSecret(pair.slice(pair.indexOf('=') + 1))
  return pairs.join('; ')
}

/** Of two with one name the later one counts. */
function merged(jars: string[]): string {
  const pairs = jars.flatMap((jar) => jar.split('; ')).filter(Boolean)
  return [...new Map(pairs.map((pair) => [pair.split('=')[0], pair])).values()].join('; ')
}

type Server = Awaited<ReturnType<typeof startServer>>

async function startServer(name: string) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', new URL('../main.ts', import.meta.url).pathname],
    {
      env: {
        PATH: process.env.PATH,
        TMPDIR: process.env.TMPDIR,
        NODE_ENV: 'development',
        DATABASE_URL: house.databaseUrl,
        DATA_DIR: join(dataDir, name),
        // One secret and one address, as processes behind one door have.
        SESSION_SECRET: 'the same secret for both of these processes',
        PUBLIC_URL: 'http://127.0.0.1:3000',
        PORT: '0',
        DEMO: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const base = await new Promise<string>((resolve, reject) => {
    let told = ''
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString()
      const port = /ready: http:\/\/[^:]+:(\d+)/.exec(told)?.[1]
      if (port) resolve(`http://127.0.0.1:${port}`)
    })
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${told}`)))
  })
  const sameOrigin = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
  return {
    get: (path: string, cookie: string) => fetch(`${base}${path}`, { headers: { ...sameOrigin, cookie } }),
    login: (email: string, password: string) =>
      fetch(`${base}/auth/login`, {
        method: 'POST',
        headers: { ...sameOrigin, 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      }),
    post: (path: string, cookie: string, body: object, key: string) =>
      fetch(`${base}${path}`, {
        method: 'POST',
        headers: { ...sameOrigin, cookie, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      }),
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
    },
  }
}
