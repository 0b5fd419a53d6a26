import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** A photo's body is a buffer. `headers` identify repeats of a dealer's requests. */
type Change = {
  method: string
  path: string
  body: object | Buffer
  headers?: Record<string, string>
}
type Acknowledged = Change & { key: string; cookie: string; status: number; responseBody: string }

/**
 * Records the responses to changes. A change without a response is retried with its key, as the web
 * app does, so each outcome is known in the end.
 */
export type Ledger = {
  acknowledged: Acknowledged[]
  /** Responses that were lost or asked for a retry. */
  unanswered: number
  /** Error responses. Every change is allowed, so each of them is a fault. */
  rejected: string[]
  abandoned: string[]
  longestGapMs(): number
  /** Forgets earlier gaps. */
  measureGap(): void
  /**
   * Makes a change and returns its response; each attempt resolves the server's current address.
   */
  change(target: { baseUrl: string }, cookie: string, change: Change): Promise<Record<string, unknown>>
  /** Makes concurrent changes of which only one may succeed. Returns its index. */
  race(target: { baseUrl: string }, cookie: string, changes: readonly Change[]): Promise<number>
  twoWinners: number
}

const timeoutMs = 12_000
const maxRetryMs = 60_000

export function createLedger(): Ledger {
  const acknowledged: Acknowledged[] = []
  let longest = 0
  let last = 0
  /** Retries until there is a response. Returns null after `maxRetryMs`. */
  async function send(
    target: { baseUrl: string },
    cookie: string,
    change: Change,
  ): Promise<ChangeResponse | null> {
    const key = randomUUID()
    const until = performance.now() + maxRetryMs
    while (performance.now() < until) {
      const response = await sendOnce(target.baseUrl, cookie, key, change)
      if (response === null || isRetryable(response)) {
        ledger.unanswered++
        await wait(100)
        continue
      }
      if (response.status >= 400) return response
      const now = performance.now()
      if (last > 0) longest = Math.max(longest, now - last)
      last = now
      acknowledged.push({ ...change, key, cookie, ...response })
      return response
    }
    ledger.abandoned.push(`${change.method} ${change.path}`)
    return null
  }

  function reject({ method, path }: Change, { status, responseBody }: ChangeResponse): RejectedChange {
    ledger.rejected.push(`${method} ${path}: ${status} ${responseBody}`)
    return new RejectedChange()
  }

  const ledger: Ledger = {
    acknowledged,
    unanswered: 0,
    rejected: [],
    abandoned: [],
    twoWinners: 0,
    longestGapMs: () => longest,
    measureGap() {
      longest = 0
      last = performance.now()
    },
    async change(target, cookie, change) {
      const response = await send(target, cookie, change)
      if (!response) throw new RejectedChange()
      if (response.status >= 400) throw reject(change, response)
      return JSON.parse(response.responseBody) as Record<string, unknown>
    },
    async race(target, cookie, changes) {
      const responses = await Promise.all(changes.map((change) => send(target, cookie, change)))
      if (responses.includes(null)) throw new RejectedChange()
      const [first = 0, ...others] = responses.flatMap((each, i) => (each && each.status < 400 ? [i] : []))
      if (others.length > 0) ledger.twoWinners++
      const [change] = changes
      if (responses[first] && responses[first].status >= 400 && change) throw reject(change, responses[first])
      return first
    },
  }
  return ledger
}

/** Ends the current sale; the ledger has recorded the reason. */
export class RejectedChange extends Error {}

/** Counts keys whose repeated response is not byte-identical to the first. */
export async function countChangedResponses(
  baseUrl: string,
  acknowledged: readonly Acknowledged[],
): Promise<number> {
  let changed = 0
  for (const { key, cookie, status, responseBody, ...change } of acknowledged) {
    // Repeats of a dealer's request or an upload are not recognized by the key.
    if (change.headers || Buffer.isBuffer(change.body)) continue
    const again = await sendOnce(baseUrl, cookie, key, change)
    if (again?.status !== status || again.responseBody !== responseBody) changed++
  }
  return changed
}

type ChangeResponse = { status: number; responseBody: string }

async function sendOnce(
  baseUrl: string,
  cookie: string,
  key: string,
  change: Change,
): Promise<ChangeResponse | null> {
  try {
    const response = await fetch(new URL(change.path, baseUrl), {
      method: change.method,
      headers: {
        cookie,
        'content-type': Buffer.isBuffer(change.body) ? 'image/jpeg' : 'application/json',
        'idempotency-key': key,
        'sec-fetch-site': 'same-origin',
        ...change.headers,
      },
      body: Buffer.isBuffer(change.body) ? new Uint8Array(change.body) : JSON.stringify(change.body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, responseBody: await response.text() }
  } catch {
    return null
  }
}

const isRetryable = ({ status, responseBody }: ChangeResponse): boolean =>
  status >= 500 || status === 429 || responseBody.includes('"IdempotencyInFlight"')
