// @module-tag full

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startServerOn } from '../../../tests/cluster/start-server-on.ts'
import { isAlive, listWorkerPids } from '../../../tests/cluster/worker-pids.ts'
import { aBuyer } from '../../../tests/support/people.ts'
import {
  freePort,
  minimalSettings,
  type ServerProcess,
  serverAddress,
  startServerProcess,
} from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { fetchMetrics, readLabels, readMetric } from './fetch-metrics.ts'
import { createMetricsServer } from './serve-metrics.ts'

// A real server process with a database, scraped as Prometheus would.

const testServer = await startTestServer()
const token = 'a token of thirty characters!!'.replaceAll(' ', '-')
const started = (settings?: Record<string, string>) => startServerOn(testServer, settings)
const withToken = { headers: { authorization: `Bearer ${token}` } }
const metricsOf = (server: ServerProcess) => fetchMetrics(`${serverAddress(server)}/metrics`, token)

// R-everywhere-49
test('serves no metrics without the setting, and with it only to clients with the token', async () => {
  const [closed, open] = await Promise.all([started(), started({ METRICS_TOKEN: token })])
  const answerOf = async (server: ServerProcess, path: string, init?: RequestInit) => {
    const response = await fetch(serverAddress(server) + path, init)
    return [response.status, (await response.text()).slice(0, 80)]
  }
  const nothing = await answerOf(closed, '/no-such-page')
  expect(nothing[0]).toBe(404)
  const strangers = [
    answerOf(closed, '/metrics', withToken),
    answerOf(open, '/metrics'),
    answerOf(open, '/metrics', { headers: { authorization: `Bearer ${token}x` } }),
    answerOf(open, '/metrics', { headers: { authorization: `Bearer ${token.slice(1)}` } }),
    answerOf(open, '/metrics', { headers: { authorization: `Basic ${token}` } }),
  ]
  for (const answer of await Promise.all(strangers)) expect(answer).toEqual(nothing)
  const response = await fetch(`${serverAddress(open)}/metrics`, withToken)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await response.text()).toContain('keyturn_requests_total')
})

// R-everywhere-49
test('serves only metrics on a separate port, with an optional token, and reports a port that is in use', async () => {
  const [free, guarded] = [await freePort(), await freePort()]
  const server = await started({ METRICS_PORT: String(free) })
  expect(await fetchMetrics(`http://127.0.0.1:${free}/metrics`)).toContain('keyturn_pool_size 10')
  for (const path of ['/', '/user', '/health/ready', '/metrics/'])
    expect((await fetch(`http://127.0.0.1:${free}${path}`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${free}/metrics`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${serverAddress(server)}/metrics`)).status).toBe(404)

  await started({ METRICS_PORT: String(guarded), METRICS_TOKEN: token })
  expect((await fetch(`http://127.0.0.1:${guarded}/metrics`)).status).toBe(404)
  expect(await fetchMetrics(`http://127.0.0.1:${guarded}/metrics`, token)).toContain('keyturn_pool_size 10')

  const refused = startServerProcess({
    ...minimalSettings(testServer.databaseUrl),
    METRICS_PORT: String(free),
  })
  expect(await refused.ended).toBe(1)
  expect(refused.err()).toBe(
    `Port ${free} on 127.0.0.1 is used by another program. Set METRICS_PORT to a free one.\n`,
  )
})

test('counts endpoints, sign-ins and streams without labels that identify people, rows or addresses', async () => {
  const buyer = await aBuyer(testServer)
  const server = await started({ METRICS_TOKEN: token })
  const at = serverAddress(server)
  const login = (password: string) =>
    fetch(`${at}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: buyer.email, password }),
    })
  for (let i = 0; i < 3; i++) await fetch(`${at}/user`)
  await fetch(`${at}/cars/public/${buyer.id}/1HGCM82633A004352`)
  await fetch(`${at}/somewhere/${buyer.id}`)
  await fetch(`${at}/assets/${buyer.id}.js`)
  expect((await login('not the password')).status).toBe(401)
  const signedIn = await login(buyer.password)
  expect(signedIn.status).toBe(200)
  const cookies = signedIn.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const leave = new AbortController()
  const stream = await fetch(`${at}/events`, {
    headers: { cookie: cookies.join('; ') },
    signal: leave.signal,
  })
  expect(stream.status).toBe(200)

  const text = await metricsOf(server)
  const value = (name: string, labels = {}) => readMetric(text, name, labels)
  const answered = (call: string, status: string) => value('keyturn_requests_total', { call, status })
  expect([
    answered('GET /user', '401'),
    value('keyturn_request_seconds_count', { call: 'GET /user' }),
  ]).toEqual([3, 3])
  expect([answered('POST /auth/login', '401'), answered('POST /auth/login', '200')]).toEqual([1, 1])
  expect(value('keyturn_sign_ins_refused_total', { who: 'user', because: 'credentials' })).toBe(1)
  expect(value('keyturn_streams')).toBe(1)
  expect(value('keyturn_pool_connections', { state: 'idle' })).toBeGreaterThan(0)
  expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  expect(value('keyturn_database_answers')).toBe(1)
  for (const private_ of [buyer.id, buyer.email, '1HGCM82633A004352', 'somewhere', 'no-such'])
    expect(text).not.toContain(private_)
  // Labels are bounded: endpoints, kinds, states and a few fixed values.
  for (const call of readLabels(text, 'call'))
    expect(call).toMatch(/^(GET|POST|PUT|PATCH|DELETE) \/[\w/:.-]*$|^file$|^page or unknown$/)
  leave.abort()
  await vi.waitFor(async () => expect(readMetric(await metricsOf(server), 'keyturn_streams')).toBe(0), 10_000)
  await testServer.query(`insert into jobs (name, run_at) values ('send-mail', now())`)
  const done = { kind: 'send-mail', end: 'done' }
  await vi.waitFor(async () => {
    expect(readMetric(await metricsOf(server), 'keyturn_jobs_total', done)).toBe(1)
  }, 10_000)
  const after = await metricsOf(server)
  expect(readMetric(after, 'keyturn_requests_total', { call: 'GET /events', status: '200' })).toBeUndefined()
  expect(readMetric(after, 'keyturn_request_seconds_count', { call: 'GET /events' })).toBeUndefined()
})

test('logs why metrics failed, but does not send the reason to the client', async () => {
  const faults: unknown[] = []
  const fault = new Error('secret')
  const server = createMetricsServer(
    () => Promise.reject(fault),
    null,
    (why) => faults.push(why),
  )
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`)
  expect([answer.status, await answer.text(), faults]).toEqual([500, '', [fault]])
})

test('returns the metrics of all processes from any of them, and counts a hung one as missing', async () => {
  const port = await freePort()
  const server = await started({ SERVER_PROCESSES: '2', METRICS_PORT: String(port), METRICS_TOKEN: token })
  for (let i = 0; i < 10; i++)
    await fetch(`${serverAddress(server)}/user`, { headers: { connection: 'close' } })
  const read = [() => fetchMetrics(`http://127.0.0.1:${port}/metrics`, token), () => metricsOf(server)]
  // Values are added, except those of the database.
  const said = {
    keyturn_processes: 2,
    keyturn_processes_answering: 2,
    keyturn_pool_size: 10,
    keyturn_database_answers: 1,
  }
  for (const text of await Promise.all(read.map((one) => one()))) {
    for (const [name, value] of Object.entries(said)) expect(readMetric(text, name), name).toBe(value)
    expect(readMetric(text, 'keyturn_requests_total', { call: 'GET /user', status: '401' })).toBe(10)
  }
  const [one] = listWorkerPids(server.pid)
  // Signaling pid 0 would reach the whole process group and stop the test run.
  if (!one) throw new Error('The start has no processes')
  process.kill(one, 'SIGSTOP')
  onTestFinished(() => void (isAlive(one) && process.kill(one, 'SIGCONT')))
  expect(
    readMetric(await fetchMetrics(`http://127.0.0.1:${port}/metrics`, token), 'keyturn_processes_answering'),
  ).toBe(1)
})
