import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { adminLogin, getUser, listEmails, login } from '@keyturn/contract/accounts/endpoints.ts'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Browser, openBrowser } from '../../../tests/support/browser.ts'
import { cookieHeader } from '../../../tests/support/http/visitors.ts'
import { createWebFolder } from '../../../tests/support/http/web-folder.ts'
import { aBuyer } from '../../../tests/support/people.ts'
import { waitForLockWait } from '../../../tests/support/second-session.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { addressLimits } from '../rate-limits/endpoint-limits.ts'

const server = await startTestServer()
const pages = createWebFolder({ 'app.js': 'export {}' })

type Line = { [name in 'reqId' | 'user' | 'msg' | 'peer' | 'ip']?: string } & { administrator?: boolean }

/** Starts a server with other settings and captures its log. */
async function serve(settings: Record<string, string> = {}) {
  const lines: Line[] = []
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) })
  const config = readConfig({
    DATABASE_URL: server.databaseUrl,
    SESSION_SECRET: server.deps.config.sessionSecret,
    ADMIN_PASSWORD: 'open sesame 42',
    RATE_LIMITS: 'off',
    ...settings,
  })
  const app = await buildApp({ ...server.deps, config, log }, pages)
  onTestFinished(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, lines, port: (app.server.address() as AddressInfo).port }
}

test('sends the logged request id in every response', async () => {
  const { app, lines } = await serve({ RATE_LIMITS: 'on' })
  const html = { accept: 'text/html' }
  const ids = new Set<unknown>()
  for (const [method, url, headers, status] of [
    ['GET', '/', html, 200],
    ['GET', '/assets/app.js', {}, 200],
    ['GET', '/assets/nothing.js', {}, 404],
    ['HEAD', '/assets/app.js', {}, 200],
    ['GET', '/health/live', {}, 200],
    ['GET', '/openapi.json', {}, 200],
    ['GET', '/user', {}, 401],
    ['POST', '/user', {}, 405],
    ['POST', '/auth/login', {}, 415],
    ['POST', '/auth/login', { 'sec-fetch-site': 'cross-site' }, 403],
    ['GET', '/%ff', {}, 400],
  ] as const) {
    const sent = await app.inject({ method, url, headers, ...(status === 415 ? { body: 'a=b' } : {}) })
    expect([method, url, sent.statusCode]).toEqual([method, url, status])
    const id = sent.headers['x-request-id']
    expect([method, url, id]).toEqual([method, url, expect.stringMatching(/^\w{8}-\w+$/)])
    ids.add(id)
    if (url !== '/%ff') await vi.waitFor(() => expect(lines.some(({ reqId }) => reqId === id)).toBe(true))
  }
  expect(ids.size).toBe(11)
})

// R-everywhere-4
test('sends the request id in body and header of an internal error', async () => {
  const broken = { ...server.deps, db: null as never, pool: null as never }
  const other = await buildApp(broken, pages)
  onTestFinished(() => other.close())
  const sent = await other.inject({ url: '/user', headers: { cookie: `at=${'a'.repeat(43)}` } })
  expect([sent.statusCode, sent.json().errorCode]).toEqual([500, 'InternalError'])
  expect(sent.headers['x-request-id']).toBe(sent.json().requestId)
})

// R-everywhere-24
test('logs a person’s id and the administrator’s role, but no addresses', async () => {
  const { app, lines } = await serve()
  const { email, password, id } = await aBuyer(server)
  const [person, administrator, stranger] = [openBrowser(app), openBrowser(app), openBrowser(app)]
  await person.ask(login, { body: { email, password } })
  await administrator.ask(adminLogin, { body: { username: 'admin', password: 'open sesame 42' } })
  const actorOf = async (browser: Browser, call: typeof getUser | typeof listEmails) => {
    const { headers } = await browser.send(call)
    const isIts = (line: Line) => line.reqId === headers['x-request-id'] && line.msg === 'answered'
    const { user, administrator } = await vi.waitUntil(() => lines.find(isIts))
    return { user, administrator }
  }
  expect(await actorOf(person, getUser)).toEqual({ user: id })
  expect(await actorOf(stranger, getUser)).toEqual({})
  expect(await actorOf(administrator, listEmails)).toEqual({ administrator: true })
  expect(JSON.stringify(lines)).not.toContain(email)
})

test('does not rate limit health checks', async () => {
  const { app } = await serve({ RATE_LIMITS: 'on' })
  const statusAt = async (url: string) => (await app.inject({ url })).statusCode
  for (let i = 0; i < addressLimits.calls.max; i++) expect(await statusAt('/health/ready')).toBe(200)
  for (let i = 0; i < addressLimits.calls.max; i++) expect(await statusAt('/user')).toBe(401)
  expect([await statusAt('/user'), await statusAt('/health/live')]).toEqual([429, 200])
})

test('rejects an unknown expectation with the usual error body', async () => {
  const { port } = await serve()
  const { socket, heard } = await talk(port)
  socket.write('GET /user HTTP/1.1\r\nhost: a\r\nexpect: nonsense\r\nconnection: close\r\n\r\n')
  await once(socket, 'close')
  const [answer] = answersIn(heard())
  expect(answer).toMatchObject({ status: 417, body: { errorCode: 'ExpectationFailed' } })
  expect(answer?.head).toMatch(/content-type: application\/json; charset=utf-8/i)
  for (const header of ['x-request-id', 'cache-control: no-store', 'content-security-policy'])
    expect(answer?.head.toLowerCase()).toContain(header)
})

test('answers Expect: 100-continue with 100', async () => {
  const { port } = await serve()
  const { socket, heard } = await talk(port)
  const headers = 'content-type: application/json\r\ncontent-length: 2\r\nconnection: close'
  socket.write(`POST /auth/login HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\n${headers}\r\n\r\n`)
  await vi.waitFor(() => expect(heard()).toBe('HTTP/1.1 100 Continue\r\n\r\n'), 10_000)
  socket.write('{}')
  await once(socket, 'close')
  expect(heard()).toMatch(/HTTP\/1\.1 400 [\s\S]*"ValidationError"/)
})

test('completes requests in progress while the server closes, and rejects later ones with 503', async () => {
  const { app, port } = await serve()
  const cookie = cookieHeader(await aBuyer(server))
  const holder = new pg.Client({ connectionString: server.databaseUrl })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin')
  await holder.query('lock table users')
  const { socket, heard } = await talk(port)
  const ask = `GET /user HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`
  socket.write(ask)
  await waitForLockWait(server)
  const closed = app.close()
  await vi.waitUntil(() => !app.server.listening, { timeout: 10_000 })
  // Sent before the first response, so the connection is in use and stays open.
  await new Promise((resolve) => socket.write(ask, resolve))
  await holder.query('commit')
  await once(socket, 'close')
  await closed
  const [first, second] = answersIn(heard())
  expect(first?.status).toBe(200)
  expect(second).toMatchObject({ status: 503, body: { errorCode: 'Unavailable' } })
  expect(second?.head).toMatch(/\nretry-after: 5\r/i)
  expect(second?.head).toMatch(/\nconnection: close\r/i)
  expect(second?.head).toMatch(/\nx-request-id: /i)
})

const trusting = { TRUST_PROXY: '203.0.113.7, 10.0.0.0/8' }
const hops = (count: string) => ({ TRUST_PROXY_HOPS: count })
const threeHops = '9.9.9.9, 1.1.1.1, 198.51.100.9'

// R-everywhere-17
test.each<[what: string, settings: Record<string, string>, peer: string, forwarded: string, seen: string]>([
  ['is ignored without configuration', {}, '127.0.0.1', '1.1.1.1', '127.0.0.1'],
  ['is trusted from a configured proxy', trusting, '203.0.113.7', '1.1.1.1', '1.1.1.1'],
  ['is trusted from a proxy in a configured network', trusting, '10.20.30.40', '1.1.1.1', '1.1.1.1'],
  [
    'is trusted from a configured proxy in IPv6 notation',
    trusting,
    '::ffff:203.0.113.7',
    '1.1.1.1',
    '1.1.1.1',
  ],
  ['is ignored from other addresses', trusting, '198.51.100.1', '1.1.1.1', '198.51.100.1'],
  [
    'is trusted along a chain of configured proxies',
    trusting,
    '203.0.113.7',
    '9.9.9.9, 1.1.1.1, 10.0.0.1',
    '1.1.1.1',
  ],
  [
    'ends the chain at an invalid address',
    trusting,
    '203.0.113.7',
    '9.9.9.9, <script>, 10.0.0.1',
    '<script>',
  ],
  ['counts hops from a private network', hops('1'), '192.168.1.1', '9.9.9.9, 1.1.1.1', '1.1.1.1'],
  ['counts as many hops as configured', hops('2'), '127.0.0.1', threeHops, '1.1.1.1'],
  ['counts no hops from a public address', hops('2'), '198.51.100.1', '1.1.1.1', '198.51.100.1'],
  [
    'counts no hops from a proxy that is not configured',
    { ...trusting, ...hops('1') },
    '127.0.0.1',
    '1.1.1.1',
    '127.0.0.1',
  ],
  ['counts hops from a configured proxy', { ...trusting, ...hops('2') }, '203.0.113.7', threeHops, '1.1.1.1'],
])('X-Forwarded-For: %s', async (_, settings, remoteAddress, forwarded, seen) => {
  const { app, lines } = await serve(settings)
  const ask = () =>
    app.inject({
      method: 'POST',
      url: '/auth/login',
      remoteAddress,
      headers: { 'x-forwarded-for': forwarded },
      body: { email: 'nobody@example.com', password: 'wrong every time' },
    })
  for (let i = 0; i < 2; i++) expect((await ask()).statusCode).toBe(401)
  expect(lines.flatMap(({ ip }) => ip ?? [])).toEqual([seen, seen])
  const isTold = settings.TRUST_PROXY !== undefined || settings.TRUST_PROXY_HOPS !== undefined
  expect(lines.flatMap(({ peer }) => peer ?? [])).toEqual(
    isTold && seen === remoteAddress ? [remoteAddress] : [],
  )
})

type Heard = { status: number; head: string; body: unknown }

/** Splits pipelined responses by their content-length, which every response of the server has. */
function answersIn(text: string): Heard[] {
  const [, status, head, length] =
    /^HTTP\/1\.1 (\d+)([\s\S]*?\ncontent-length: (\d+)[\s\S]*?)\r\n\r\n/i.exec(text) ?? []
  if (head === undefined) return []
  const from = text.indexOf('\r\n\r\n') + 4
  const body = Buffer.from(text.slice(from)).subarray(0, Number(length)).toString()
  return [
    { status: Number(status), head, body: JSON.parse(body) },
    ...answersIn(text.slice(from + body.length)),
  ]
}

async function talk(port: number): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  await once(socket, 'connect')
  return { socket, heard: () => text }
}
