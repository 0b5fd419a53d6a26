import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

type Change = { method: string; path: string; body: object }
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
  /** Changes given up after a minute. */
  givenUp: string[]
  /** Longest time between two acknowledged changes, in milliseconds. */
  longestSilenceMs(): number
  /** Makes a change and gives its answer; each try goes to where the server is by then. */
  change(where: { baseUrl: string }, cookie: string, change: Change): Promise<Record<string, unknown>>
}

/** An answer that takes longer is taken for lost. */
const patienceMs = 12_000
const giveUpAfterMs = 60_000

export function openLedger(): Ledger {
  const acknowledged: Acknowledged[] = []
  let longest = 0
  let last = 0
  const ledger: Ledger = {
    acknowledged,
    unanswered: 0,
    refused: [],
    givenUp: [],
    longestSilenceMs: () => longest,
    async change(where, cookie, change) {
      const key = randomUUID()
      const until = performance.now() + giveUpAfterMs
      while (performance.now() < until) {
        const answered = await send(where.baseUrl, cookie, key, change)
        if (answered === null || isLater(answered)) {
          ledger.unanswered++
          await wait(100)
          continue
        }
        if (answered.status >= 400) {
          ledger.refused.push(`${change.method} ${change.path}: ${answered.status} ${answered.answer}`)
          throw new Refused()
        }
        const now = performance.now()
        if (last > 0) longest = Math.max(longest, now - last)
        last = now
        acknowledged.push({ ...change, key, cookie, ...answered })
        return JSON.parse(answered.answer) as Record<string, unknown>
      }
      ledger.givenUp.push(`${change.method} ${change.path}`)
      throw new Refused()
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
        'content-type': 'application/json',
        'idempotency-key': key,
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify(change.body),
      signal: AbortSignal.timeout(patienceMs),
    })
    return { status: response.status, answer: await response.text() }
  } catch {
    return null
  }
}

const isLater = ({ status, answer }: Answered): boolean =>
  status >= 500 || status === 429 || answer.includes('"IdempotencyInFlight"')
