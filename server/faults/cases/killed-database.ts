import { setTimeout as wait } from 'node:timers/promises'
import { startCrowd } from '../ground.ts'
import { openOwnDatabase } from '../own-database.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

/** SIGKILL of PostgreSQL in the middle of everything; it comes back on the same folder. */
export const killedDatabase = killing('database killed', false)

/** PostgreSQL and the server at once, as when the power fails for both. */
export const killedBoth = killing('both killed', true)

function killing(name: string, isBoth: boolean): Case {
  return {
    name,
    async run(_, rounds) {
      const own = await openOwnDatabase()
      const server = await startServer(own.ground.settings)
      const crowd = await startCrowd(own.ground, server.baseUrl, 6)
      for (let round = 0; round < rounds; round++) {
        await wait(1500 + Math.random() * 500)
        own.kill()
        if (isBoth) await server.kill()
        await own.restart()
        if (isBoth) await server.restart()
      }
      await wait(1500)
      const outcome = await crowd.settle()
      const { code } = await server.end()
      await own.close()
      const broken = code === 0 ? [] : [`SIGTERM ended it with ${code}`]
      return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
    },
  }
}
