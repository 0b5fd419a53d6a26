import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../deps.ts'

/** More than any of these answers takes by itself: what was done behind it cannot be read from the clock. */
const floorMs = 300

/** Answers, well or badly, no sooner than the floor: a known address takes as long as an unknown one. */
export async function evenly<T>(deps: Deps, work: () => Promise<T>): Promise<T> {
  const floor = deps.config.rateLimits ? wait(floorMs) : Promise.resolve()
  try {
    return await work()
  } finally {
    await floor
  }
}
