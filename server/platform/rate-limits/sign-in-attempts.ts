import type { Deps } from '../../deps.ts'
import { countedTurn, forgetTurns, type Limit, returnTurn, tooMany } from './throttles.ts'

/** One of the counts that a try to sign in goes into; `lasts`: a success takes back this try alone, not all before. */
export type Count = { rule: Limit; subject: string; lasts?: true }

export type Try = {
  isSlowed(rule: Limit): boolean
  succeeded(): Promise<void>
  /** Takes the try back: the server was too busy, or its database away. */
  undone(): Promise<void>
}

/**
 * Counted before the password is looked at, so that a hundred guesses at once are a hundred; success gives it back. All
 * counts or none: a try that one of them refuses is not counted in the others. `refused` hears by which.
 */
export async function takeTry(
  deps: Deps,
  counts: readonly Count[],
  refused: (rule: Limit) => Promise<void> = async () => {},
): Promise<Try> {
  const taken: (Count & { count: number })[] = []
  const giveBack = async () => {
    for (const { rule, subject } of taken) await returnTurn(deps, rule, subject)
  }
  for (const one of counts) {
    const { wait, count } = await countedTurn(deps, one.rule, one.subject)
    if (wait > 0) {
      await giveBack()
      await refused(one.rule)
      throw tooMany(wait)
    }
    taken.push({ ...one, count })
  }
  return {
    isSlowed: (rule) =>
      taken.some((one) => one.rule === rule && rule.slowFrom !== undefined && one.count >= rule.slowFrom),
    succeeded: async () => {
      for (const { rule, subject, lasts } of taken)
        await (lasts ? returnTurn : forgetTurns)(deps, rule, subject)
    },
    undone: giveBack,
  }
}
