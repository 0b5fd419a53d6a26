// @module-tag full

import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { forgotPassword } from '@keyturn/contract/accounts/endpoints.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { decodeSignal } from '../../server/modules/notifications/events/signal.ts'
import { createBrowserAt } from '../support/browser-at.ts'
import { aBuyer } from '../support/people.ts'
import { connectClient, waitForLockWait } from '../support/second-session.ts'
import {
  createTestFolder,
  minimalSettings,
  type ServerProcess,
  serverAddress,
  startServerProcess,
} from '../support/server-process.ts'
import { startTestServer } from '../support/test-server.ts'
import { isAlive, listWorkerPids } from './worker-pids.ts'

// One server runs two worker processes on one port (R-everywhere-45).

const testServer = await startTestServer()
/** Long enough for a busy machine, so that only a hang fails. */
const patience = { timeout: 120_000, interval: 100 }
const startTwo = (settings: Record<string, string> = {}) =>
  startServerProcess({ ...minimalSettings(testServer.databaseUrl), SERVER_PROCESSES: '2', ...settings })

async function startTwoReady(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const started = startTwo(settings)
  await started.says('Keyturn is ready')
  return started
}

/** Uses a new connection per request, like a proxy without sticky sessions. */
const request = (server: ServerProcess, path: string) =>
  fetch(serverAddress(server) + path, { headers: { connection: 'close' } })

async function respondingProcesses(server: ServerProcess, times = 8): Promise<string[]> {
  const names = new Set<string>()
  for (let i = 0; i < times; i++) {
    const response = await request(server, '/health/live')
    names.add(response.headers.get('x-request-id')?.split('-')[0] ?? '')
  }
  return [...names]
}

/** Collects the signals that processes of this database publish from now on. */
async function recordSignals(): Promise<(string | undefined)[]> {
  const signals: (string | undefined)[] = []
  const listener = await connectClient(testServer.ownerUrl)
  listener.on('notification', ({ payload }) => signals.push(payload))
  await listener.query('listen keyturn')
  return signals
}

// R-everywhere-45
test('serves from both processes, replaces a killed one, and stops both together', async () => {
  const settings = { DATA_DIR: createTestFolder() }
  const signals = await recordSignals()
  const server = await startTwoReady(settings)
  expect(server.out().match(/Keyturn is ready/g)).toHaveLength(1)
  expect(listWorkerPids(server.pid)).toHaveLength(2)
  const before = await respondingProcesses(server)
  expect(before).toHaveLength(2)

  // When a stopped process is killed, its pending requests fail. The other process continues to
  // respond.
  const [killed = 0] = listWorkerPids(server.pid)
  process.kill(killed, 'SIGSTOP')
  const four = Array.from({ length: 4 }, () => request(server, '/health/live').then(({ status }) => status))
  const settled = new Set<number>()
  for (const [i, request] of four.entries()) request.then(() => settled.add(i)).catch(() => {})
  await vi.waitFor(() => expect(settled.size).toBe(3), patience)
  process.kill(killed, 'SIGKILL')
  const ends = await Promise.allSettled(four)
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  for (let i = 0; i < 20; i++) expect((await request(server, '/health/ready')).status).toBe(200)
  await vi.waitFor(async () => {
    const after = await respondingProcesses(server)
    expect(after).toHaveLength(2)
    expect(after.filter((name) => before.includes(name))).toHaveLength(1)
  }, patience)
  // The killed process may not have sent its last signals.
  await vi.waitFor(() => expect(signals.map(decodeSignal)).toContainEqual({ missed: true }), patience)
  expect(readFileSync(join(settings.DATA_DIR, 'keyturn.log'), 'utf8')).toContain(
    `"worker":${killed},"msg":"a server process has ended and is being replaced"`,
  )

  // A pending request gets its response, and no process remains.
  const pids = listWorkerPids(server.pid)
  const { email } = await aBuyer(testServer)
  const holder = await connectClient(testServer.ownerUrl)
  await holder.query('begin; lock table users')
  const pending = createBrowserAt(() => serverAddress(server)).send(forgotPassword, { body: { email } })
  await waitForLockWait(testServer)
  server.send('SIGTERM')
  await vi.waitFor(() => expect(fetch(`${serverAddress(server)}/health/live`)).rejects.toThrow(), patience)
  await holder.query('commit')
  expect((await pending).status).toBe(200)
  expect(await server.ended, server.err()).toBe(0)
  expect(pids.filter(isAlive)).toEqual([])
  expect(server.err()).toBe('')
  expect(readdirSync(settings.DATA_DIR).filter((name) => name.startsWith('serving'))).toEqual([])
})

test('reports the cause once when both processes cannot start', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  onTestFinished(() => void blocker.close())
  const { port } = blocker.address() as AddressInfo
  const server = startTwo({ PORT: String(port) })
  expect(await server.ended).toBe(1)
  expect(server.err()).toBe(`Port ${port} on 127.0.0.1 is used by another program. Set PORT to a free one.\n`)
})

// R-everywhere-45
test('counts rate limits across both processes, which stop when their parent is killed', async () => {
  const server = await startTwoReady()
  const look = async () => (await request(server, '/verify/65f000000000000000000000')).status
  // The limit is 30 a minute per address; separate counters would allow 60.
  const first = await Promise.all(Array.from({ length: 30 }, look))
  expect(first).not.toContain(429)
  await vi.waitFor(async () => expect(await look()).toBe(429), { timeout: 30_000, interval: 2_000 })

  const members = listWorkerPids(server.pid)
  server.send('SIGKILL')
  await server.ended
  await vi.waitFor(() => expect(members.filter(isAlive)).toEqual([]), patience)
})
