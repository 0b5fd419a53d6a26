import { setTimeout as wait } from 'node:timers/promises'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

/** SIGTERM while everybody sells, as at each deployment: what is being answered is answered, and the next server goes on. */
export const stoppedServer: Case = {
  name: 'server stopped',
  async run(ground, rounds) {
    const server = await startServer(ground.settings)
    const crowd = await startCrowd(ground, server.baseUrl, 6)
    const broken: string[] = []
    for (let round = 0; round < rounds; round++) {
      await wait(1000 + Math.random() * 1000)
      const { code, ms } = await server.end()
      if (code !== 0) broken.push(`SIGTERM ended it with ${code} after ${ms} ms`)
      await server.restart()
    }
    await wait(1000)
    const outcome = await crowd.settle()
    await server.end()
    return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}
