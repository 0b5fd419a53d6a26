import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from '../case.ts'
import { setClock } from '../clock.ts'

/**
 * Exceeds PostgreSQL's idle-in-transaction timeout (10 s) and the client timeout (12 s). Requests
 * begun by the frozen server are retried at the other before it resumes.
 */
const frozenMs = 17_000
/** Longer than the lease of a job, two minutes (`heldSeconds` of the jobs). */
const leaseSeconds = 130

/**
 * SIGSTOP under load, while a second server on the same database continues; then the first resumes.
 */
export const frozenServer = whileSelling(
  'server frozen',
  async ({ ground, broken, open, startServer, eachRound }) => {
    const { server: first, crowd } = await open()
    const second = await startServer()
    await eachRound(async (round) => {
      const [frozen, other] = round % 2 === 0 ? [first, second] : [second, first]
      await wait(1500)
      frozen.freeze()
      const before = crowd.ledger.acknowledged.length
      crowd.where.baseUrl = other.baseUrl
      await setClock(ground, leaseSeconds * (round + 1))
      await wait(frozenMs)
      // Each couple may have had one request under way.
      if (crowd.ledger.acknowledged.length <= before + crowd.couples.length)
        broken.push('nobody got on at the other server')
      frozen.thaw()
    })
    await wait(1500)
  },
  { maxRounds: 2 },
)
