import type { Deps } from '../../deps.ts'
import { countRequest, type RateLimit, refundLimit, resetLimit, tooManyRequestsError } from './throttles.ts'

/** A count of sign-in attempts. `refundOnly`: a success refunds only this attempt. */
export type AttemptCount = { rule: RateLimit; subject: string; refundOnly?: true }

export type SignInAttempt = {
  isSlowed(rule: RateLimit): boolean
  succeed(): Promise<void>
  /** Refunds the attempt, because the server was too busy or its database unavailable. */
  refund(): Promise<void>
}

/**
 * Counts an attempt before the password is checked, so that parallel guesses all count. If one
 * limit is exceeded, refunds the other counts, calls `onExceeded` and throws `TooManyRequests`.
 */
export async function startSignInAttempt(
  deps: Deps,
  counts: readonly AttemptCount[],
  onExceeded: (rule: RateLimit) => Promise<void> = async () => {},
): Promise<SignInAttempt> {
  const counted: (AttemptCount & { count: number })[] = []
  const refundAll = async () => {
    for (const { rule, subject } of counted) await refundLimit(deps, rule, subject)
  }
  for (const one of counts) {
    const { wait, count } = await countRequest(deps, one.rule, one.subject)
    if (wait > 0) {
      await refundAll()
      await onExceeded(one.rule)
      throw tooManyRequestsError(wait)
    }
    counted.push({ ...one, count })
  }
  return {
    isSlowed: (rule) =>
      counted.some((one) => one.rule === rule && rule.slowFrom !== undefined && one.count >= rule.slowFrom),
    succeed: async () => {
      for (const { rule, subject, refundOnly } of counted)
        await (refundOnly ? refundLimit : resetLimit)(deps, rule, subject)
    },
    refund: refundAll,
  }
}
