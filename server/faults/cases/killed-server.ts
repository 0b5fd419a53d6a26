import { setTimeout as wait } from 'node:timers/promises'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

/** SIGKILL at any moment, the one between a commit and its answer among them. */
export const killedServer: Case = {
  name: 'server killed',
  async run(ground, rounds) {
    const server = await startServer(ground.settings)
    const crowd = await startCrowd(ground, server.baseUrl, 6)
    for (let round = 0; round < rounds; round++) {
      await wait(1000 + Math.random() * 1000)
      await server.killAndRestart()
    }
    await wait(1000)
    const outcome = await crowd.settle()
    const { code } = await server.end()
    const broken = code === 0 ? [] : [`SIGTERM ended it with ${code}`]
    return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}
