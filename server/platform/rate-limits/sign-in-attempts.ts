import type { Deps } from '../../deps.ts'
import { countRequest, type RateLimit, refundLimit, resetLimit, tooManyRequests } from './throttles.ts'

/** One of the counts that a try to sign in goes into; `lasts`: a success takes back this try alone, not all before. */
export type AttemptCount = { rule: RateLimit; subject: string; lasts?: true }

export type SignInAttempt = {
  isSlowed(rule: RateLimit): boolean
  succeeded(): Promise<void>
  /** Takes the try back: the server was too busy, or its database away. */
  undone(): Promise<void>
}

/**
 * Counted before the password is looked at, so that a hundred guesses at once are a hundred; success gives it back. All
 * counts or none: a try that one of them refuses is not counted in the others. `refused` hears by which.
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
