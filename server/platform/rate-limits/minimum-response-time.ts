import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'

/** Longer than any of these answers takes by itself, so that its time does not tell what was done. */
const floorMs = 300

/** Answers or fails no sooner than `floorMs`: a known address takes as long as an unknown one. */
export async function withMinimumResponseTime<T>(deps: Deps, work: () => Promise<T>): Promise<T> {
  const floor = deps.config.rateLimits ? wait(floorMs) : Promise.resolve()
  try {
    return await work()
  } finally {
    await floor
  }
}
