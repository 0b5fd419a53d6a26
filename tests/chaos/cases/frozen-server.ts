import { setTimeout as wait } from 'node:timers/promises'
import { setClock } from '../clock.ts'
import { whileSelling } from './case.ts'

/**
 * Longer than PostgreSQL leaves a transaction open whose server says nothing (10 s), and than anybody waits for an answer
 * (12 s): what the frozen one had begun is asked of the other, before it wakes up and goes on with it.
 */
const frozenMs = 17_000
/** Jobs in hand come back after two minutes at the latest (`heldSeconds` of the jobs); nobody waits for them here. */
const leaseSeconds = 130

/** SIGSTOP in the middle of everything; a second server on the same database goes on; then the first one wakes up. */
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
      // One for each couple may have been on its way.
      if (crowd.ledger.acknowledged.length <= before + crowd.couples.length)
        broken.push('nobody got on at the other server')
      frozen.thaw()
    })
    await wait(1500)
  },
  { maxRounds: 2 },
)
