import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openHouse } from './house.ts'
import { aBuyer } from './people.ts'

// Two processes of the real server on one database: what one knows of sessions and counters, the other knows too.

const house = await openHouse()
const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-two-'))
const [one, other] = await Promise.all([startServer('one'), startServer('other')])
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  rmSync(dataDir, { recursive: true, force: true })
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

test('refreshed at both in the same moment, nobody is signed out', async () => {
  const { email, password } = await aBuyer(house)
  const cookie = await signIn(one, email, password)
  const answers = await Promise.all(
    [one, other, one, other].map((server) => server.get('/auth/refresh', cookie)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const renewed = cookiesOf(answers[0]) || cookie
  expect((await other.get('/user', renewed)).status).toBe(200)
})

async function signIn(server: Server, email: string, password: string): Promise<string> {
  const response = await server.login(email, password)
  expect(response.status).toBe(200)
  return cookiesOf(response)
}

const cookiesOf = (response: Response | undefined): string =>
  (response?.headers.getSetCookie() ?? []).map((line) => line.split(';')[0]).join('; ')

type Server = Awaited<ReturnType<typeof startServer>>

async function startServer(name: string) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', new URL('../main.ts', import.meta.url).pathname],
    {
      env: {
        ...process.env,
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
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
    },
  }
}
