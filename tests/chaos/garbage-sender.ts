import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { webhookHeaders } from '@keyturn/contract/shared/webhooks.ts'
import { startSteadily } from '../../bench/live/send-steadily.ts'

// A separate process with a lower priority, so that its cost is not attributed to the server.

export type GarbageReport = { sent: number; due: number; statuses: Record<string, number>; lagMs: number }

const [port = 0, seconds = 0, perSecond = 0] = process.argv.slice(2).map(Number)
const bytes = 500_000
const giveUpMs = 10_000

const endpoints = allEndpoints.filter(({ callers }) =>
  callers.some((name) => name === 'anyone' || name === 'partner'),
)
const pathParams: Record<string, string> = { vin: '1HGCM82633A004352', digest: 'ab'.repeat(32), size: '1' }

const pairs = JSON.stringify(Object.fromEntries(Array.from({ length: bytes / 14 }, (_, i) => [`k${i}`, i])))
/** Random bytes, and data that is valid JSON for as long as possible. */
const bodies = [
  randomBytes(bytes),
  Buffer.from(`{"a":"${'x'.repeat(bytes - 8)}"}`),
  Buffer.from(pairs),
  Buffer.from(`${'{"a":'.repeat(bytes / 5)}`),
]

setPriority(5)
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
const statuses: Record<string, number> = {}
const end = performance.now() + seconds * 1000
const sent = await startSteadily(
  perSecond * endpoints.length,
  () => performance.now() < end,
  (i) => send(i),
)
for (const status of sent) statuses[status] = (statuses[status] ?? 0) + 1
const report: GarbageReport = {
  sent: sent.length,
  due: seconds * perSecond * endpoints.length,
  statuses,
  lagMs: Math.round(delay.percentile(95) / 1e6),
}
process.send?.(report, () => process.disconnect())

/** Sends one request. Returns its status, or how the connection ended. */
function send(i: number): Promise<string> {
  const call = endpoints[i % endpoints.length]
  const round = Math.floor(i / endpoints.length)
  const body = bodies[round % bodies.length] ?? Buffer.alloc(0)
  // Every other round has no Content-Length.
  const isChunked = Math.floor(round / bodies.length) % 2 === 1
  const path = call?.path.replace(/:(\w+)/g, (_, name: string) => pathParams[name] ?? 'f'.repeat(24))
  const head = [
    `${call?.method} ${path} HTTP/1.1`,
    'host: keyturn',
    'content-type: application/json',
    `${webhookHeaders.id}: msg_${i}`,
    `${webhookHeaders.timestamp}: ${Math.floor(Date.now() / 1000)}`,
    `${webhookHeaders.signature}: v1,${'A'.repeat(43)}=`,
    isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`,
  ].join('\r\n')
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const done = (how: string) => {
      resolve(how)
      socket.destroy()
    }
    socket.setTimeout(giveUpMs, () => done('no answer'))
    socket.once('data', (part) => done(part.toString('latin1', 9, 12)))
    socket.once('error', ({ code = 'error' }: NodeJS.ErrnoException) => done(code))
    socket.once('close', () => done('closed'))
    socket.write(`${head}\r\n\r\n`)
    if (isChunked) {
      socket.write(`${body.length.toString(16)}\r\n`)
      socket.write(body)
      socket.write('\r\n0\r\n\r\n')
    } else socket.write(body)
  })
}
