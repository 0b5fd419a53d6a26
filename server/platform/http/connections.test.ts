// @module-tag full

import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { streamServerEvents } from '@keyturn/contract/notifications/endpoints.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cookieHeader } from '../../../tests/support/http/visitors.ts'
import { createWebFolder } from '../../../tests/support/http/web-folder.ts'
import { aBuyer } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import type { Config } from '../../config.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { createProxyPredicate } from './connection-limit.ts'
import { destroyStuckReaders, limitBodyTime } from './connections.ts'
import { handleClientError } from './error-handlers.ts'
import { combineTrust, parseProxies } from './trusted-proxies.ts'

const testServer = await startTestServer()
/** More than the kernel buffers for a client that does not read. */
const large = 48 * 1024 * 1024
const pages = createWebFolder({ 'large.bin': Buffer.alloc(large) })

async function serve(
  settings: Partial<Config> = {},
  web = new URL('file:///nowhere/'),
  countRefusedConnection = (_because: string) => {},
) {
  const config = { ...testServer.deps.config, ...settings }
  const metrics = { ...createMetrics(() => {}), countRefusedConnection }
  const app = await buildApp({ ...testServer.deps, config }, web, { metrics })
  onTestFinished(() => app.close())
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  return { server: app.server, port }
}

/** A connection and the data received on it. */
function talk(port: number, more: { allowHalfOpen?: boolean } = {}) {
  const socket = connect({ port, host: '127.0.0.1', ...more }).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (piece) => {
    answer += piece
  })
  return { socket, answer: () => answer }
}

/** The start of a request with a body of nine bytes. */
const headOf = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\ncontent-length: 9\r\n\r\n`

test('closes connections whose client stopped reading, but neither slow readers nor idle streams', async () => {
  const server = createServer((request, response) => answers[request.url ?? '']?.(response))
  destroyStuckReaders(server, 3_000)
  const { isCut } = endsOf(server)
  const port = await listen(server)
  const open = async (path: string) => {
    const socket = await ask(port, path)
    await vi.waitUntil(() => socket.bytesRead > 0, { timeout: 10_000 })
    return socket
  }
  const [answer, stream, slow, quiet] = [
    await open('/large'),
    await open('/stream'),
    await open('/large'),
    await open('/quiet'),
  ]
  const read = readSlowly(slow, large / 60)
  for (const socket of [answer, stream]) socket.pause()
  await Promise.all([isCut(answer), isCut(stream)])
  await read
  expect(slow.bytesRead).toBeGreaterThan(large)
  expect(quiet.destroyed).toBe(false)
})

const answers: Record<string, (response: ServerResponse) => void> = {
  '/large': (response) => response.end(Buffer.alloc(large)),
  '/stream': (response) => {
    response.write(Buffer.alloc(large))
    const heart = setInterval(() => response.write(':\n\n'), 50)
    response.once('close', () => clearInterval(heart))
  },
  '/quiet': (response) => void response.write(':\n\n'),
}

test('closes connections with unread responses or incomplete requests, but not open pages', async () => {
  const { server, port } = await serve({}, pages)
  const { isCut } = endsOf(server)
  const cookie = cookieHeader(await aBuyer(testServer))
  const page = get(`http://127.0.0.1:${port}${streamServerEvents.path}`, {
    headers: { cookie },
    agent: false,
  })
  onTestFinished(() => void page.destroy())
  const [events]: IncomingMessage[] = await once(page, 'response')
  let isOpen = true
  events?.resume().once('close', () => {
    isOpen = false
  })
  const [stuck, slow] = [await ask(port, '/assets/large.bin'), await ask(port, '/assets/large.bin')]
  const began = performance.now()
  const read = readSlowly(slow, large / 400)
  stuck.pause()
  const sender = talk(port)
  sender.socket.write(`${headOf('/auth/login', 'application/json')}{`)
  await isCut(stuck)
  expect(performance.now() - began).toBeGreaterThan(29_000)
  await read
  expect(slow.bytesRead).toBeGreaterThan(large)
  await vi.waitFor(() => expect(sender.answer()).toContain('408 Request Timeout'), 5_000)
  expect(isOpen).toBe(true)
})

test('returns 408 for a form that does not arrive in time, and gives a photo more time', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/refuse') response.writeHead(413).end()
    else request.resume().once('end', () => response.end('all of it'))
  })
  server.on('clientError', handleClientError)
  limitBodyTime(server, 300, 300)
  const { isCut } = endsOf(server)
  const port = await listen(server)
  const begin = async (path: string, type: string) => {
    const begun = talk(port, { allowHalfOpen: true })
    await once(begun.socket, 'connect')
    begun.socket.write(`${headOf(path, type)}half`)
    return begun
  }
  const [form, photo, refused] = [
    await begin('/', 'application/json'),
    await begin('/', 'image/jpeg'),
    await begin('/refuse', 'image/jpeg'),
  ]
  await Promise.all([isCut(form.socket), isCut(refused.socket)])
  expect(form.answer()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"errorCode":"RequestTimeout"/)
  expect(refused.answer()).toMatch(/^HTTP\/1\.1 413 /)
  photo.socket.write('whole')
  await vi.waitFor(() => expect(photo.answer()).toMatch(/all of it$/), { timeout: 10_000 })
})

test('rejects connections over the limit and keeps the others', async () => {
  const { port } = await serve({ maxConnections: 2 })
  const others = [await ask(port, '/health/live'), await ask(port, '/health/live')]
  for (const socket of others) await once(socket, 'data')
  const third = connect(port, '127.0.0.1').on('error', () => {})
  await once(third, 'close')
  expect(third.bytesRead).toBe(0)
  for (const socket of others) {
    socket.write('GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n')
    expect(String(await once(socket, 'data'))).toContain('200 OK')
  }
})

test('limits connections per address and exempts proxies', async () => {
  const refused: string[] = []
  const settings = { maxConnectionsPerAddress: 2, trustProxy: combineTrust(parseProxies('127.0.0.9'), 0) }
  const { port } = await serve(settings, undefined, (because) => void refused.push(because))
  const isAnswered = async (localAddress: string) => {
    const socket = await ask(port, '/health/live', localAddress)
    const ended = once(socket, 'close').then(() => false)
    return { socket, is: await Promise.race([once(socket, 'data').then(() => true), ended]) }
  }
  const [first, second, third] = [
    await isAnswered('127.0.0.2'),
    await isAnswered('127.0.0.2'),
    await isAnswered('127.0.0.2'),
  ]
  expect([first.is, second.is, third.is]).toEqual([true, true, false])
  expect(refused).toEqual(['address'])
  expect((await isAnswered('127.0.0.3')).is).toBe(true)
  for (let i = 0; i < 3; i++) expect((await isAnswered('127.0.0.9')).is).toBe(true)
  first.socket.destroy()
  await vi.waitFor(async () => expect((await isAnswered('127.0.0.2')).is).toBe(true))
})

test('exempts loopback addresses without TRUST_PROXY', () => {
  const isExempt = createProxyPredicate(null)
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].every(isExempt)).toBe(true)
  expect(['203.0.113.7', ''].some(isExempt)).toBe(false)
})

test('closes the connection after the response when the body length is undeclared or too large', async () => {
  const { port } = await serve()
  const answerTo = async (head: string) => {
    const { socket } = talk(port)
    socket.write(`${head}\r\nhost: a\r\ncontent-type: application/json\r\n`)
    const [answer] = await Promise.all([once(socket, 'data'), socket.write('\r\n{}')])
    return /connection: (\S+)/i.exec(String(answer))?.[1]
  }
  expect(await answerTo('GET /health/live HTTP/1.1\r\ncontent-length: 65537')).toBe('close')
  expect(await answerTo('GET /health/live HTTP/1.1\r\ntransfer-encoding: chunked')).toBe('close')
  expect(await answerTo('GET /health/live HTTP/1.1\r\ncontent-length: 2')).toBe('keep-alive')
})

/** Reads at most about this many bytes every 100 ms. */
async function readSlowly(socket: Socket, bytesPerRound: number): Promise<void> {
  let taken = 0
  const timer = setInterval(() => {
    taken = 0
    socket.resume()
  }, 100)
  socket.on('data', (piece) => {
    taken += piece.length
    if (taken >= bytesPerRound) socket.pause()
  })
  await vi.waitUntil(() => socket.bytesRead > large || socket.destroyed, { timeout: 200_000, interval: 100 })
  clearInterval(timer)
}

/** The sockets of the server, because a client that does not read does not notice the end. */
function endsOf(server: Server) {
  const ends = new Map<number | undefined, Socket>()
  server.on('connection', (end) => ends.set(end.remotePort, end))
  const isCut = async (reader: Socket) => {
    const end = ends.get(reader.localPort)
    if (!end?.destroyed) await once(end as Socket, 'close')
  }
  return { isCut }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function ask(port: number, path: string, localAddress?: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress !== undefined && { localAddress }) }).on(
    'error',
    () => {},
  )
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
  return socket
}
