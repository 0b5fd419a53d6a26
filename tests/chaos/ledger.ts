import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** Bytes are a photo's. `headers`: a dealer's system says with its own what it has said before. */
type Change = {
  method: string
  path: string
  body: object | Buffer
  headers?: Record<string, string>
}
type Acknowledged = Change & { key: string; cookie: string; status: number; answer: string }

/**
 * What was said to the people who changed something. A change whose answer never came is asked again with its own key
 * until it is answered, as the pages do, so in the end each one is known.
 */
export type Ledger = {
  acknowledged: Acknowledged[]
  /** Answers that got lost on the way, or said "later". */
  unanswered: number
  /** Every change is allowed, so a refusal is a fault: most likely of something that was done before. */
  refused: string[]
  givenUp: string[]
  longestSilenceMs(): number
  /** Makes a change and gives its answer; each try goes to where the server is by then. */
  change(where: { baseUrl: string }, cookie: string, change: Change): Promise<Record<string, unknown>>
  /** Makes changes at once of which one alone may be; gives the place of the one that was. */
  contest(where: { baseUrl: string }, cookie: string, changes: readonly Change[]): Promise<number>
  twoWinners: number
}

/** An answer that takes longer is taken for lost. */
const patienceMs = 12_000
const giveUpAfterMs = 60_000

export function openLedger(): Ledger {
  const acknowledged: Acknowledged[] = []
  let longest = 0
  let last = 0
  /** Asks until it is answered; null: it was given up. */
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

/** Ends the sale at hand: the ledger has kept why. */
export class Refused extends Error {}

/** How many of these keys no longer give their first answer, byte for byte. */
export async function countUnlikeFirst(baseUrl: string, kept: readonly Acknowledged[]): Promise<number> {
  let unlike = 0
  for (const { key, cookie, status, answer, ...change } of kept) {
    // Known by something else than the key.
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
