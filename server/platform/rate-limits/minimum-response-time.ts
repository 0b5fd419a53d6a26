import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'

/** Longer than any of these responses takes, so that their time reveals nothing. */
const floorMs = 300

/**
 * Resolves or rejects after at least `floorMs`, so that known and unknown addresses take equally
 * long.
 */
export async function withMinimumResponseTime<T>(deps: Deps, work: () => Promise<T>): Promise<T> {
  const floor = deps.config.rateLimits ? wait(floorMs) : Promise.resolve()
  try {
    return await work()
  } finally {
    await floor
  }
}
