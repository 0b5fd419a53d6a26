import { setTimeout as wait } from 'node:timers/promises'
import { setClock } from '../clock.ts'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

const hour = 3600

/** The database's clock steps an hour ahead and back, and an hour behind and back, while everybody sells. */
export const steppingClock: Case = {
  name: 'clock steps',
  async run(ground, rounds) {
    const server = await startServer(ground.settings)
    const crowd = await startCrowd(ground, server.baseUrl, 6)
    // Its clock would be an hour off, and what it signs is good for minutes.
    crowd.where.isDealerSilent = true
    for (let round = 0; round < rounds; round++) {
      await wait(1000)
      await setClock(ground, round % 2 === 0 ? hour : -hour)
      await wait(1500)
      await setClock(ground, 0)
    }
    await wait(1000)
    const outcome = await crowd.settle()
    const { code } = await server.end()
    const broken = code === 0 ? [] : [`SIGTERM ended it with ${code}`]
    return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}
