import { setTimeout as wait } from 'node:timers/promises'
import { openProxy } from '../../test/proxy.ts'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

/** Each packet between the server and its database takes this long, and then is on time again. */
const delayMs = 150

/** The way to the database is long: everything is late, nothing is lost. */
export const slowDatabase: Case = {
  name: 'database slow',
  async run(ground, rounds) {
    const network = await openProxy(ground.databaseUrl)
    const server = await startServer({ ...ground.settings, DATABASE_URL: network.connectionString })
    const crowd = await startCrowd(ground, server.baseUrl, 6)
    for (let round = 0; round < rounds; round++) {
      await wait(1000)
      network.delay(delayMs)
      await wait(4000)
      network.delay(0)
    }
    const outcome = await crowd.settle()
    const { code } = await server.end()
    await network.close()
    const broken = code === 0 ? [] : [`SIGTERM ended it with ${code}`]
    return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}
