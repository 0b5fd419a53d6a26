import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ledger, Refused } from '../../faults/ledger.ts'
import { quantile } from '../live/steady.ts'
import type { Shot } from '../load.ts'

/** A person who changes something: thinks first, and looks around after it. */
export type Thinking = Pick<Ledger, 'change'>

export type Visitors = {
  /** What was not answered with a 2xx. */
  errors: string[]
  calls(): number
  /** Milliseconds by the kind of call, as lines. */
  table(): string[]
  send(name: string, shot: Shot): Promise<string>
  thinking(averageMs: number): Thinking
}

export function visitorsOf(port: number): Visitors {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const took = new Map<string, number[]>()
  const errors: string[] = []
  let serial = 0
  const send = async (name: string, shot: Shot) => {
    const began = performance.now()
    const { status, body } = await answered(agent, port, shot)
    const times = took.get(name) ?? []
    times.push(performance.now() - began)
    took.set(name, times)
    if (status >= 200 && status < 300) return body
    errors.push(`${name}: ${status} ${body.slice(0, 200)}`)
    throw new Refused()
  }
  const look = (path: string, cookie: string) =>
    send(`GET ${nameOf(path)}`, { method: 'GET', path, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  return {
    errors,
    calls: () => [...took.values()].reduce((sum, times) => sum + times.length, 0),
    table: () => tableOf(took),
    send,
    thinking: (averageMs) => ({
      async change(_, cookie, { method, path, body }) {
        await pause(averageMs * (0.5 + Math.random()))
        const answer = await send(`${method} ${nameOf(path)}`, {
          method,
          path,
          headers: {
            cookie,
            'content-type': 'application/json',
            'idempotency-key': `day-${++serial}`,
            'sec-fetch-site': 'same-origin',
          },
          body: JSON.stringify(body),
        })
        await look('/notifications/unread', cookie)
        const { userId, vin } = body as { userId?: string; vin?: string }
        if (userId && vin) await look(`/progress/timeline/${userId}/${vin}`, cookie)
        return JSON.parse(answer) as Record<string, unknown>
      },
    }),
  }
}

/** Of an address only what names the call: ids are 24 digits, VINs 17. */
const nameOf = (path: string): string =>
  path.replace(/[0-9a-f]{24}/g, ':id').replace(/\/[0-9A-HJ-NPR-Z]{17}\b/g, '/:vin')

function answered(agent: Agent, port: number, { method, path, headers, body }: Shot) {
  return new Promise<{ status: number; body: string }>((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, body: error.message })
    const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      response.on('error', failed)
    })
    sent.on('error', failed)
    sent.end(body)
  })
}

function tableOf(took: ReadonlyMap<string, number[]>): string[] {
  const line = (name: string, cells: string[]) =>
    name.padEnd(42) + cells.map((cell) => cell.padStart(10)).join('')
  const kinds = [...took].sort(([one], [other]) => (one < other ? -1 : 1))
  return [
    line('milliseconds', ['calls', 'p50', 'p99', 'most']),
    ...kinds.map(([name, times]) =>
      line(name, [String(times.length), ...[0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0))]),
    ),
  ]
}
