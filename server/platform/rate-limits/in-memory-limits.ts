import type { Deps } from '../../deps.ts'
import type { HttpContext } from '../http/register-endpoint.ts'
import { endpointLimits } from './endpoint-limits.ts'
import { networkOf, type RateLimit, tooManyRequests } from './throttles.ts'

/** The turns that a call's own limits ask for: one person has one count however many addresses they come from. */
export const endpointLimiter =
  (deps: Deps): HttpContext['checkRateLimit'] =>
  ({ name }, { user, administrator }, ip) => {
    for (const { per, mostOfWholesaler, ...limit } of endpointLimits[name] ?? []) {
      const person = per === 'address' ? undefined : (user?.id ?? administrator?.username)
      const most = (user?.wholesaler ? mostOfWholesaler : undefined) ?? limit.most
      consumeLimitInMemory(
        deps,
        { ...limit, most, name: `${name} ${limit.withinMs}` },
        person ?? networkOf(ip),
      )
    }
  }

/**
 * For what guards nobody's account: counted by this start alone, so that a read writes nothing and is answered while
 * the disk is full.
 */
export function consumeLimitInMemory(deps: Pick<Deps, 'config'>, rule: RateLimit, subject: string): void {
  if (!deps.config.rateLimits) return
  const now = performance.now()
  if (now >= sweepAt) sweep(now)
  const key = `${rule.name} ${subject}`
  const open = count(key, 1, rule.withinMs, now)
  if (isShared) untold.set(key, (untold.get(key) ?? 0) + 1)
  if (open.count > rule.most) throw tooManyRequests(Math.ceil((open.endsAt - now) / 1000))
}

/** How often which count went up here since it was told last, and how long its window is still open. */
export type Counted = [key: string, times: number, leftMs: number][]

/**
 * The processes of one start count together, each a second behind the others: `tell` sends to them what was counted here,
 * and the result takes what they have sent (R-everywhere-45).
 */
export function shareCounts(tell: (counted: Counted) => void): (counted: Counted) => void {
  isShared = true
  setInterval(() => {
    const now = performance.now()
    const counted = [...untold].map(([key, times]): Counted[number] => {
      return [key, times, (windows.get(key)?.endsAt ?? now) - now]
    })
    untold.clear()
    if (counted.length > 0) tell(counted)
  }, tellEveryMs).unref()
  return (counted) => {
    const now = performance.now()
    for (const [key, times, leftMs] of counted) count(key, times, leftMs, now)
  }
}

function count(key: string, times: number, leftMs: number, now: number) {
  const known = windows.get(key)
  const open = known && known.endsAt > now ? known : { count: 0, endsAt: now + leftMs }
  windows.set(key, open)
  if (windows.size > mostWindows) windows.delete(windows.keys().next().value ?? key)
  open.count += times
  return open
}

const windows = new Map<string, { count: number; endsAt: number }>()
/** Some twenty megabytes. Who comes from more addresses than that would otherwise use up the memory of the process. */
const mostWindows = 100_000
const sweepEveryMs = 60_000
let sweepAt = 0
let isShared = false
const untold = new Map<string, number>()
const tellEveryMs = 1_000

function sweep(now: number): void {
  for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key)
  sweepAt = now + sweepEveryMs
}
