import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** The body is bytes for a photo. A dealer's system identifies repeats with its own `headers`. */
type Change = {
  method: string
  path: string
  body: object | Buffer
  headers?: Record<string, string>
}
type Acknowledged = Change & { key: string; cookie: string; status: number; answer: string }

/**
 * Records the responses to changes. A change without a response is retried with its key, as the web
 * app does, so each outcome is known in the end.
 */
export type Ledger = {
  acknowledged: Acknowledged[]
  /** Responses that were lost or asked for a retry. */
  unanswered: number
  /** Every change is allowed, so an error is a fault, most likely in an earlier change. */
  refused: string[]
  givenUp: string[]
  longestSilenceMs(): number
  /**
   * Makes a change and returns its response; each attempt resolves the server's current address.
   */
  change(where: { baseUrl: string }, cookie: string, change: Change): Promise<Record<string, unknown>>
  /** Makes concurrent changes of which only one may succeed. Returns its index. */
  contest(where: { baseUrl: string }, cookie: string, changes: readonly Change[]): Promise<number>
  twoWinners: number
}

/** Timeout after which a response counts as lost. */
const patienceMs = 12_000
const giveUpAfterMs = 60_000

export function openLedger(): Ledger {
  const acknowledged: Acknowledged[] = []
  let longest = 0
  let last = 0
  /** Retries until there is a response; null when it gave up. */
  async function make(where: { baseUrl: string }, cookie: string, change: Change): Promise<Answered | null> {
    const key = randomUUID()
    const until = performance.now() + giveUpAfterMs
    while (performance.now() < until) {
      const answered = await send(where.baseUrl, cookie, key, change)
      if (answered === null || isLater(answered)) {
        ledger.unanswered++
        await wait(100)
        continue
      }
      if (answered.status >= 400) return answered
      const now = performance.now()
      if (last > 0) longest = Math.max(longest, now - last)
      last = now
      acknowledged.push({ ...change, key, cookie, ...answered })
      return answered
    }
    ledger.givenUp.push(`${change.method} ${change.path}`)
    return null
  }

  function refuse({ method, path }: Change, { status, answer }: Answered): Refused {
    ledger.refused.push(`${method} ${path}: ${status} ${answer}`)
    return new Refused()
  }

  const ledger: Ledger = {
    acknowledged,
    unanswered: 0,
    refused: [],
    givenUp: [],
    twoWinners: 0,
    longestSilenceMs: () => longest,
    async change(where, cookie, change) {
      const answered = await make(where, cookie, change)
      if (!answered) throw new Refused()
      if (answered.status >= 400) throw refuse(change, answered)
      return JSON.parse(answered.answer) as Record<string, unknown>
    },
    async contest(where, cookie, changes) {
      const answers = await Promise.all(changes.map((change) => make(where, cookie, change)))
      if (answers.includes(null)) throw new Refused()
      const [first = 0, ...others] = answers.flatMap((each, i) => (each && each.status < 400 ? [i] : []))
      if (others.length > 0) ledger.twoWinners++
      const [change] = changes
      if (answers[first] && answers[first].status >= 400 && change) throw refuse(change, answers[first])
      return first
    },
  }
  return ledger
}

/** Ends the current sale; the ledger has recorded the reason. */
export class Refused extends Error {}

/** Counts keys whose repeated response is not byte-identical to the first. */
export async function countUnlikeFirst(baseUrl: string, kept: readonly Acknowledged[]): Promise<number> {
  let unlike = 0
  for (const { key, cookie, status, answer, ...change } of kept) {
    // Identified by other means than the key.
    if (change.headers || Buffer.isBuffer(change.body)) continue
    const again = await send(baseUrl, cookie, key, change)
    if (again?.status !== status || again.answer !== answer) unlike++
  }
  return unlike
}

type Answered = { status: number; answer: string }

async function send(baseUrl: string, cookie: string, key: string, change: Change): Promise<Answered | null> {
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
      signal: AbortSignal.timeout(patienceMs),
    })
    return { status: response.status, answer: await response.text() }
  } catch {
    return null
  }
}

const isLater = ({ status, answer }: Answered): boolean =>
  status >= 500 || status === 429 || answer.includes('"IdempotencyInFlight"')
