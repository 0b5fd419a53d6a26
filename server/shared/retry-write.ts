import { setTimeout as wait } from 'node:timers/promises'

/** Long enough for a database restart, and well below the lease of a job. */
const tryForMs = 30_000
const pauseMs = 500

/** Retries the write that records finished work: without the record the work would be repeated. */
export async function retryWrite<T>(work: () => Promise<T>): Promise<T> {
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
