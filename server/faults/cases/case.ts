import type { Ground, Outcome } from '../ground.ts'

export type Result = Outcome & {
  rounds: number
  /** From the fault to the next acknowledged change, the longest of all rounds. */
  recoveryMs: number
  /** What else must hold, and did not. */
  broken: string[]
}

/** One fault: what is done to the running product, and what must be seen. */
export type Case = { name: string; run: (ground: Ground, rounds: number) => Promise<Result> }
