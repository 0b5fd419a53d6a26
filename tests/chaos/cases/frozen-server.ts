import { setTimeout as wait } from 'node:timers/promises'
import { defineCase } from '../case.ts'
import { setClock } from '../clock.ts'

/**
 * Exceeds PostgreSQL's idle-in-transaction timeout (10 s) and the client timeout (12 s). Requests
 * begun by the frozen server are retried at the other before it resumes.
 */
const frozenMs = 17_000
/** Longer than the lease of a job, which is two minutes. */
const leaseSeconds = 130

/**
 * SIGSTOP under load, while a second server on the same database continues; then the first resumes.
 */
export const frozenServer = defineCase(
  'server frozen',
  async ({ environment, violations, open, startServer, eachRound }) => {
    const { server: first, workload } = await open()
    const second = await startServer()
    await eachRound(async (round) => {
      const [frozen, other] = round % 2 === 0 ? [first, second] : [second, first]
      await wait(1500)
      frozen.freeze()
      const before = workload.ledger.acknowledged.length
      workload.target.baseUrl = other.baseUrl
      await setClock(environment, leaseSeconds * (round + 1))
      await wait(frozenMs)
      // Each group may have had one request in progress.
      if (workload.ledger.acknowledged.length <= before + workload.groups.length)
        violations.push('the other server acknowledged no change')
      frozen.resume()
    })
    await wait(1500)
  },
  { maxRounds: 2 },
)
