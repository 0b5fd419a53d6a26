import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { bodyLimit } from './body.ts'
import { isProxy, limitPerAddress } from './connection-limit.ts'

/** Why a connection was refused: all that may be open are, or all of its address. */
export type ConnectionRefused = (because: 'all' | 'address') => void
type Limits = Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustProxy'>

/** Node's HTTP server with limits on what a connection may cost. */
export function openServer(
  answer: RequestListener,
  { maxConnections, maxConnectionsPerAddress: max, trustProxy }: Limits,
  log: FastifyBaseLogger,
  onRefused: ConnectionRefused = () => {},
): Server {
  const server = createServer(
    {
      // Slow senders are cut off: no browser takes longer for its headers, nor for a photo (a form: see below).
      headersTimeout: 10_000,
      requestTimeout: uploadMs,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 72_000,
    },
    answer,
  )
  // Node would answer 417 with an empty body; `addShutdownHooks` says it as every other refusal.
  server.on('checkExpectation', answer)
  server.maxConnections = maxConnections
  const logAll = sayNowAndThen(log, 'as many are open as MAX_CONNECTIONS allows')
  server.on('drop', () => {
    logAll()
    onRefused('all')
  })
  const logAddress = sayNowAndThen(
    log,
    'as many of one address are open as MAX_CONNECTIONS_PER_ADDRESS allows',
  )
  limitPerAddress(server, {
    max,
    isExempt: isProxy(trustProxy),
    onRefused: () => {
      logAddress()
      onRefused('address')
    },
  })
  cutStuckReaders(server)
  limitBodyTime(server)
  return server
}

/** For 15 MB over a line of one megabit, which a photo from a phone seldom has. */
const uploadMs = 180_000

/**
 * A form has 30 seconds to arrive, for no browser takes longer for its 64 KiB; a file must come at a minimum rate while it is
 * read (`storage/receive-upload.ts`). Where more is announced than a form has, or nothing, the connection ends with the answer: Node
 * would read the rest of what was refused, however much comes. Of a file that was answered before it was
 * through, a little more is read, so that the answer reaches whoever is still sending; then the connection is cut.
 */
export function limitBodyTime(server: Server, formMs = 30_000, lingerMs = 5_000): void {
  server.on('request', (request, response) => {
    const { headers } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    if (headers['content-type']?.startsWith('image/'))
      return void response.once('finish', () => letRestPass(request, lingerMs))
    if (!(Number(headers['content-length']) <= bodyLimit)) response.shouldKeepAlive = false
    const timer = setTimeout(() => {
      if (!request.complete) server.emit('clientError', tooSlow(), request.socket)
    }, formMs).unref()
    request.once('close', () => clearTimeout(timer))
  })
}

const tooSlow = () => Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** As much as is on its way on a fast line, and no more for the longest time that a sender takes to notice. */
function letRestPass(request: IncomingMessage, ms: number): void {
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
 * Cuts whoever has an answer waiting and takes nothing of it: its socket and what is buffered would be held for as long as
 * it likes. A slow reader takes something, and an event stream has nothing waiting while it is read: both stay.
 */
export function cutStuckReaders(server: Server, stuckMs = 30_000): void {
  const sockets = socketsOf(server)
  const stuck = new WeakMap<Socket, { taken: string; since: number }>()
  const look = (now: number) => {
    for (const socket of sockets) {
      const taken = socket.writableLength > 0 ? takenFrom(socket) : null
      const before = stuck.get(socket)
      if (taken === null) stuck.delete(socket)
      else if (before?.taken !== taken) stuck.set(socket, { taken, since: now })
      else if (now - before.since >= stuckMs) socket.destroy()
    }
  }
  const timer = setInterval(() => look(performance.now()), stuckMs / 15).unref()
  server.once('close', () => clearInterval(timer))
}

/**
 * While the server closes: who is between two requests is let go at once, and who opened a connection ahead and never used
 * it a little later, because its first request may be on its way. Call the result when all are gone.
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

/** Changes whenever the system takes something; within a large piece only the handle below the socket knows. */
function takenFrom(socket: Socket): string {
  const { _handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return `${socket.bytesWritten - socket.writableLength} ${_handle?.writeQueueSize}`
}

/** Logged seldom, because a flood must not fill the log as well. */
function sayNowAndThen(log: FastifyBaseLogger, because: string): () => void {
  let refused = 0
  let saidAt = Number.NEGATIVE_INFINITY
  return () => {
    refused++
    if (performance.now() - saidAt < 60_000) return
    log.warn({ refused }, `connections refused: ${because}`)
    saidAt = performance.now()
    refused = 0
  }
}
