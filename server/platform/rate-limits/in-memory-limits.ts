import type { Deps } from '../../deps.ts'
import type { HttpContext } from '../http/register-endpoint.ts'
import { endpointLimits } from './endpoint-limits.ts'
import { networkOf, type RateLimit, tooManyRequestsError } from './throttles.ts'

/** Counts a request against its endpoint's limits. A person has one count for all addresses. */
export const createEndpointLimiter =
  (deps: Deps): HttpContext['checkRateLimit'] =>
  ({ name }, { user, administrator }, ip) => {
    for (const { per, maxForWholesalers, ...limit } of endpointLimits[name] ?? []) {
      const person = per === 'address' ? undefined : (user?.id ?? administrator?.username)
      const max = (user?.wholesaler ? maxForWholesalers : undefined) ?? limit.max
      consumeLimitInMemory(
        deps,
        { ...limit, max, name: `${name} ${limit.withinMs}` },
        person ?? networkOf(ip),
      )
    }
  }

/**
 * Counts in memory for limits that protect no account, so that reads need no write and work while
 * the disk is full. Throws `TooManyRequests`.
 */
export function consumeLimitInMemory(deps: Pick<Deps, 'config'>, rule: RateLimit, subject: string): void {
  if (!deps.config.rateLimits) return
  const now = performance.now()
  if (now >= sweepAt) sweep(now)
  const key = `${rule.name} ${subject}`
  const open = count(key, 1, rule.withinMs, now)
  if (isShared) unsent.set(key, (unsent.get(key) ?? 0) + 1)
  if (open.count > rule.max) throw tooManyRequestsError(Math.ceil((open.endsAt - now) / 1000))
}

/** Increments since the last message, and the remaining time of the window in ms. */
export type CountUpdate = [key: string, times: number, leftMs: number][]

/**
 * Shares counts between the processes of one start, with a delay of 1 s (R-everywhere-45). `send`
 * sends local counts; the returned function applies counts of other processes.
 */
export function shareRateLimitCounts(send: (counted: CountUpdate) => void): (counted: CountUpdate) => void {
  isShared = true
  setInterval(() => {
    const now = performance.now()
    const counted = [...unsent].map(([key, times]): CountUpdate[number] => {
      return [key, times, (windows.get(key)?.endsAt ?? now) - now]
    })
    unsent.clear()
    if (counted.length > 0) send(counted)
  }, sendEveryMs).unref()
  return (counted) => {
    const now = performance.now()
    for (const [key, times, leftMs] of counted) count(key, times, leftMs, now)
  }
}

function count(key: string, times: number, leftMs: number, now: number) {
  const known = windows.get(key)
  const open = known && known.endsAt > now ? known : { count: 0, endsAt: now + leftMs }
  windows.set(key, open)
  if (windows.size > maxWindows) windows.delete(windows.keys().next().value ?? key)
  open.count += times
  return open
}

const windows = new Map<string, { count: number; endsAt: number }>()
/** About 20 MB. Without it, a client with many addresses could exhaust the memory. */
const maxWindows = 100_000
const sweepEveryMs = 60_000
let sweepAt = 0
let isShared = false
const unsent = new Map<string, number>()
const sendEveryMs = 1_000

function sweep(now: number): void {
  for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key)
  sweepAt = now + sweepEveryMs
}
