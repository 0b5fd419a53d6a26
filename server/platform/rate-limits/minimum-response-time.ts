import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'

/** Longer than any of these responses takes, so that their time reveals nothing. */
const minResponseMs = 300

/** Takes at least `minResponseMs`, so that known and unknown addresses take equally long. */
export async function withMinimumResponseTime<T>(deps: Deps, work: () => Promise<T>): Promise<T> {
  const minimum = deps.config.rateLimits ? wait(minResponseMs) : Promise.resolve()
  try {
    return await work()
  } finally {
    await minimum
  }
}
