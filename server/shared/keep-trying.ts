import { setTimeout as wait } from 'node:timers/promises'

/** Long enough for a database that starts again, and well below the time for which a job is held. */
const tryForMs = 30_000
const pauseMs = 500

/** For writing down what was done: if that failed because the database is away for a moment, it would be done again. */
export async function keepTrying<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + tryForMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() >= end) throw error
      await wait(pauseMs)
    }
  }
}
