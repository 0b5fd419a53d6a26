import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { createProxyPredicate, limitPerAddress } from './connection-limit.ts'
import { bodyLimit } from './request-body.ts'

/** Called with the limit that was reached: the total, or that of the address. */
export type OnConnectionRefused = (because: 'all' | 'address') => void
type Limits = Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustProxy'>

/** Creates Node's HTTP server with limits on connections, timeouts and slow clients. */
export function createHttpServer(
  answer: RequestListener,
  { maxConnections, maxConnectionsPerAddress: max, trustProxy }: Limits,
  log: FastifyBaseLogger,
  onRefused: OnConnectionRefused = () => {},
): Server {
  const server = createServer(
    {
      // No browser needs longer for headers or a photo; `limitBodyTime` limits forms.
      headersTimeout: 10_000,
      requestTimeout: uploadMs,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 72_000,
    },
    answer,
  )
  // Node would send 417 with an empty body; `addShutdownHooks` sends the usual error body.
  server.on('checkExpectation', answer)
  server.maxConnections = maxConnections
  const logAll = throttledWarning(log, 'MAX_CONNECTIONS is reached')
  server.on('drop', () => {
    logAll()
    onRefused('all')
  })
  const logAddress = throttledWarning(log, 'MAX_CONNECTIONS_PER_ADDRESS is reached')
  limitPerAddress(server, {
    max,
    isExempt: createProxyPredicate(trustProxy),
    onRefused: () => {
      logAddress()
      onRefused('address')
    },
  })
  destroyStuckReaders(server)
  limitBodyTime(server)
  return server
}

/** Enough for 15 MB at 1 Mbit/s; few photos are that large. */
const uploadMs = 180_000

/**
 * A form has `formMs` to arrive; `storage/receive-upload.ts` enforces a minimum rate for files.
 * If the declared length exceeds the limit or is missing, the connection closes after the response,
 * because Node would otherwise read the whole rejected body. If an upload gets its response early,
 * a little more is read so that the client, still sending, receives it; then the socket closes.
 */
export function limitBodyTime(server: Server, formMs = 30_000, lingerMs = 5_000): void {
  server.on('request', (request, response) => {
    const { headers } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    if (headers['content-type']?.startsWith('image/'))
      return void response.once('finish', () => drainUpload(request, lingerMs))
    if (!(Number(headers['content-length']) <= bodyLimit)) response.shouldKeepAlive = false
    const timer = setTimeout(() => {
      if (!request.complete) server.emit('clientError', tooSlow(), request.socket)
    }, formMs).unref()
    request.once('close', () => clearTimeout(timer))
  })
}

const tooSlow = () => Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** Discards up to 32 MiB, about what is in flight on a fast connection, for at most `ms`. */
function drainUpload(request: IncomingMessage, ms: number): void {
  if (request.complete) return
  let left = 32 * 1024 * 1024
  request.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) request.destroy()
  })
  request.resume()
  const timer = setTimeout(() => request.complete || request.destroy(), ms).unref()
  request.once('close', () => clearTimeout(timer))
}

/**
 * Destroys sockets whose buffered response makes no progress for `stuckMs`; a client could
 * otherwise hold the memory forever. Slow readers make progress and idle event streams buffer
 * nothing.
 */
export function destroyStuckReaders(server: Server, stuckMs = 30_000): void {
  const sockets = socketsOf(server)
  const stuck = new WeakMap<Socket, { progress: string; since: number }>()
  const check = (now: number) => {
    for (const socket of sockets) {
      const progress = socket.writableLength > 0 ? progressOf(socket) : null
      const before = stuck.get(socket)
      if (progress === null) stuck.delete(socket)
      else if (before?.progress !== progress) stuck.set(socket, { progress, since: now })
      else if (now - before.since >= stuckMs) socket.destroy()
    }
  }
  const timer = setInterval(() => check(performance.now()), stuckMs / 15).unref()
  server.once('close', () => clearInterval(timer))
}

/**
 * Closes idle connections during shutdown. Connections without a request yet close a second later,
 * because the first request may be in flight. Call the returned function after all connections have
 * closed.
 */
export function closeIdleConnections(server: Server): () => void {
  const began = performance.now()
  const timer = setInterval(() => {
    server.closeIdleConnections()
    if (performance.now() - began < firstRequestMs) return
    for (const socket of socketsOf(server)) if (socket.bytesRead === 0) socket.destroy()
  }, 50).unref()
  return () => clearInterval(timer)
}

const firstRequestMs = 1_000

const open = new WeakMap<Server, Set<Socket>>()

function socketsOf(server: Server): Set<Socket> {
  const known = open.get(server)
  if (known) return known
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  open.set(server, sockets)
  return sockets
}

/** Changes when the kernel accepts bytes; within a large chunk only the handle shows it. */
function progressOf(socket: Socket): string {
  const { _handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return `${socket.bytesWritten - socket.writableLength} ${_handle?.writeQueueSize}`
}

/** Logs at most once a minute, so that a flood of connections does not fill the log. */
function throttledWarning(log: FastifyBaseLogger, because: string): () => void {
  let refused = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return () => {
    refused++
    if (performance.now() - loggedAt < 60_000) return
    log.warn({ refused }, `connections refused: ${because}`)
    loggedAt = performance.now()
    refused = 0
  }
}
