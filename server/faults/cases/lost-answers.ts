import { setTimeout as wait } from 'node:timers/promises'
import { openProxy } from '../../test/proxy.ts'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

/** The server does what it is asked, and nobody hears of it: what comes back is swallowed. */
export const lostAnswers: Case = {
  name: 'answers lost',
  async run(ground, rounds) {
    const server = await startServer(ground.settings)
    const network = await openProxy(server.baseUrl)
    const crowd = await startCrowd(ground, network.connectionString, 6)
    for (let round = 0; round < rounds; round++) {
      await wait(1000)
      network.swallowAnswers()
    }
    const outcome = await crowd.settle()
    await network.close()
    const { code } = await server.end()
    const broken = code === 0 ? [] : [`SIGTERM ended it with ${code}`]
    return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}
