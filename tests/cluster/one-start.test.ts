// @module-tag full

import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { forgotPassword } from '@keyturn/contract/accounts/endpoints.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { decodeSignal } from '../../server/modules/notifications/events/signal.ts'
import { browserAt } from '../support/at-address.ts'
import { aBuyer } from '../support/people.ts'
import { aClient, untilLockWait } from '../support/second-session.ts'
import { addressOf, aFolder, type Started, settingsOn, start } from '../support/start.ts'
import { startTestServer } from '../support/test-server.ts'
import { isAlive, membersOf } from './members.ts'

// One start runs two processes on one port (R-everywhere-45).

const house = await startTestServer()
/** Long enough for a busy machine, so that only a hang fails. */
const patience = { timeout: 120_000, interval: 100 }
const two = (settings: Record<string, string> = {}) =>
  start({ ...settingsOn(house.databaseUrl), SERVER_PROCESSES: '2', ...settings })

async function twoReady(settings: Record<string, string> = {}): Promise<Started> {
  const started = two(settings)
  await started.says('Keyturn is ready')
  return started
}

/** Uses a new connection per request, like a proxy without sticky sessions. */
const ask = (server: Started, path: string) =>
  fetch(addressOf(server) + path, { headers: { connection: 'close' } })

/** A request's id names the process that answers it. */
async function whoAnswers(server: Started, times = 8): Promise<string[]> {
  const names = new Set<string>()
  for (let asked = 0; asked < times; asked++) {
    const answer = await ask(server, '/health/live')
    names.add(answer.headers.get('x-request-id')?.split('-')[0] ?? '')
  }
  return [...names]
}

/** Collects the signals that processes of this database publish from now on. */
async function heardOnChannel(): Promise<(string | undefined)[]> {
  const said: (string | undefined)[] = []
  const listener = await aClient(house.ownerUrl)
  listener.on('notification', ({ payload }) => said.push(payload))
  await listener.query('listen keyturn')
  return said
}

// R-everywhere-45
test('serves from both processes, replaces a killed one while the other continues, and ends both together', async () => {
  const settings = { DATA_DIR: aFolder() }
  const said = await heardOnChannel()
  const server = await twoReady(settings)
  expect(server.out().match(/Keyturn is ready/g)).toHaveLength(1)
  expect(membersOf(server.pid)).toHaveLength(2)
  const before = await whoAnswers(server)
  expect(before).toHaveLength(2)

  // Requests handed to a stopped process are cut when it is killed; the other keeps answering.
  const [killed = 0] = membersOf(server.pid)
  process.kill(killed, 'SIGSTOP')
  const four = Array.from({ length: 4 }, () => ask(server, '/health/live').then(({ status }) => status))
  const answered = new Set<number>()
  for (const [place, one] of four.entries()) one.then(() => answered.add(place)).catch(() => {})
  await vi.waitFor(() => expect(answered.size).toBe(3), patience)
  process.kill(killed, 'SIGKILL')
  const ends = await Promise.allSettled(four)
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  for (let asked = 0; asked < 20; asked++) expect((await ask(server, '/health/ready')).status).toBe(200)
  await vi.waitFor(async () => {
    const after = await whoAnswers(server)
    expect(after).toHaveLength(2)
    expect(after.filter((name) => before.includes(name))).toHaveLength(1)
  }, patience)
  // The killed process may not have sent its last signals.
  await vi.waitFor(() => expect(said.map(decodeSignal)).toContainEqual({ missed: true }), patience)
  expect(readFileSync(join(settings.DATA_DIR, 'keyturn.log'), 'utf8')).toContain(
    `"member":${killed},"msg":"a server process has ended and is being replaced"`,
  )

  // A pending request is answered, and no process remains.
  const members = membersOf(server.pid)
  const { email } = await aBuyer(house)
  const holder = await aClient(house.ownerUrl)
  await holder.query('begin; lock table users')
  const asked = browserAt(() => addressOf(server)).send(forgotPassword, { body: { email } })
  await untilLockWait(house)
  server.send('SIGTERM')
  await vi.waitFor(() => expect(fetch(`${addressOf(server)}/health/live`)).rejects.toThrow(), patience)
  await holder.query('commit')
  expect((await asked).status).toBe(200)
  expect(await server.ended, server.err()).toBe(0)
  expect(members.filter(isAlive)).toEqual([])
  expect(server.err()).toBe('')
  expect(readdirSync(settings.DATA_DIR).filter((name) => name.startsWith('serving'))).toEqual([])
})

test('reports once what prevents both processes from starting', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const server = two({ PORT: String(port) })
  expect(await server.ended).toBe(1)
  expect(server.err()).toBe(`Port ${port} on 127.0.0.1 is used by another program. Set PORT to a free one.\n`)
})

// R-everywhere-45
test('counts rate limits across both processes, and ends them when their parent is killed', async () => {
  const server = await twoReady()
  const look = async () => (await ask(server, '/verify/65f000000000000000000000')).status
  // The limit is 30 a minute per address; separate counters would allow 60.
  const first = await Promise.all(Array.from({ length: 30 }, look))
  expect(first).not.toContain(429)
  await vi.waitFor(async () => expect(await look()).toBe(429), { timeout: 30_000, interval: 2_000 })

  const members = membersOf(server.pid)
  server.send('SIGKILL')
  await server.ended
  await vi.waitFor(() => expect(members.filter(isAlive)).toEqual([]), patience)
})
