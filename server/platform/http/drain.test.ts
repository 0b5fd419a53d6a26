// @module-tag full

import { expect, test } from 'vitest'
import { createTestFolder, serverAddress, startServerProcess } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const testServer = await startTestServer()
const on = { DATABASE_URL: testServer.databaseUrl, DATA_DIR: '', PORT: '0', DEMO: '0' }

// R-everywhere-50
test('reports after SIGTERM that it is not ready, still serves requests, and ends after the drain time', async () => {
  const server = startServerProcess({ ...on, DATA_DIR: createTestFolder(), DRAIN_SECONDS: '4' })
  await server.says('Keyturn is ready')
  const ask = (path: string) => fetch(serverAddress(server) + path)
  expect((await ask('/health/ready')).status).toBe(200)
  expect((await ask('/user')).headers.get('connection')).toBe('keep-alive')
  const began = performance.now()
  server.send('SIGTERM')
  await expect.poll(async () => (await ask('/health/ready')).status, { timeout: 3_000 }).toBe(503)
  expect((await (await ask('/health/ready')).json()).status).toBe('draining')
  expect((await ask('/health/live')).status).toBe(200)
  const served = await ask('/user')
  // Draining differs from closing: the response is normal, and the connection closes after it.
  expect([served.status, served.headers.get('connection')]).toEqual([401, 'close'])
  // npm forwards the signal, which must not shorten the drain.
  server.send('SIGTERM')
  expect(await server.ended, server.err()).toBe(0)
  expect(performance.now() - began).toBeGreaterThan(3_900)
  expect(server.err()).toBe('')
})

// R-everywhere-50
test('ends on Ctrl-C without waiting for proxies, even during a drain', async () => {
  const server = startServerProcess({ ...on, DATA_DIR: createTestFolder(), DRAIN_SECONDS: '120' })
  await server.says('Keyturn is ready')
  const began = performance.now()
  server.send('SIGTERM')
  await expect
    .poll(async () => (await fetch(`${serverAddress(server)}/health/ready`)).status, { timeout: 5_000 })
    .toBe(503)
  server.send('SIGINT')
  expect(await server.ended, server.err()).toBe(0)
  expect(performance.now() - began).toBeLessThan(15_000)
})

// R-everywhere-50
test('drains all processes of one start together', async () => {
  const server = startServerProcess({
    ...on,
    DATA_DIR: createTestFolder(),
    DRAIN_SECONDS: '3',
    SERVER_PROCESSES: '2',
  })
  await server.says('Keyturn is ready')
  const ready = async () =>
    (await fetch(`${serverAddress(server)}/health/ready`, { headers: { connection: 'close' } })).status
  const began = performance.now()
  server.send('SIGTERM')
  await expect.poll(async () => [await ready(), await ready()], { timeout: 2_500 }).toEqual([503, 503])
  expect(await server.ended, server.err()).toBe(0)
  expect(performance.now() - began).toBeGreaterThan(2_900)
})
