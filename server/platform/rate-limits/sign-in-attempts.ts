import type { Deps } from '../../deps.ts'
import { countRequest, type RateLimit, refundLimit, resetLimit, tooManyRequests } from './throttles.ts'

/**
 * A count for sign-in attempts. `lasts`: a success refunds only this attempt instead of resetting
 * the count.
 */
export type AttemptCount = { rule: RateLimit; subject: string; lasts?: true }

export type SignInAttempt = {
  isSlowed(rule: RateLimit): boolean
  succeeded(): Promise<void>
  /** Refunds the attempt, because the server was too busy or its database unavailable. */
  undone(): Promise<void>
}

/**
 * Counts an attempt before the password is checked, so that parallel guesses all count. If one
 * limit is exceeded, refunds the others, calls `refused` and throws `TooManyRequests`.
 */
export async function takeSignInAttempt(
  deps: Deps,
  counts: readonly AttemptCount[],
  refused: (rule: RateLimit) => Promise<void> = async () => {},
): Promise<SignInAttempt> {
  const taken: (AttemptCount & { count: number })[] = []
  const giveBack = async () => {
    for (const { rule, subject } of taken) await refundLimit(deps, rule, subject)
  }
  for (const one of counts) {
    const { wait, count } = await countRequest(deps, one.rule, one.subject)
    if (wait > 0) {
      await giveBack()
      await refused(one.rule)
      throw tooManyRequests(wait)
    }
    taken.push({ ...one, count })
  }
  return {
    isSlowed: (rule) =>
      taken.some((one) => one.rule === rule && rule.slowFrom !== undefined && one.count >= rule.slowFrom),
    succeeded: async () => {
      for (const { rule, subject, lasts } of taken)
        await (lasts ? refundLimit : resetLimit)(deps, rule, subject)
    },
    undone: giveBack,
  }
}
