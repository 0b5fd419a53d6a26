import { setTimeout as wait } from 'node:timers/promises'
import { openProxy } from '../../test/proxy.ts'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

/** The network keeps every connection to the database open and carries no more data. */
export const silentDatabase: Case = {
  name: 'database silent',
  async run(ground, rounds) {
    const network = await openProxy(ground.databaseUrl)
    const server = await startServer({ ...ground.settings, DATABASE_URL: network.connectionString })
    const crowd = await startCrowd(ground, server.baseUrl, 6)
    const broken: string[] = []
    for (let round = 0; round < rounds; round++) {
      await wait(1500)
      const isLongFault = round % 2 === 1
      network.swallow(isLongFault ? 'all' : 'old')
      for (let asked = 0; asked < 4; asked++) {
        const ready = await server.time('/health/ready', 10_000)
        if (ready.status === null || ready.ms > 3500) broken.push(`ready took ${ready.ms} ms`)
        await wait(1000)
      }
      network.heal()
      const before = crowd.ledger.acknowledged.length
      for (let waited = 0; crowd.ledger.acknowledged.length === before && waited < 300; waited++)
        await wait(100)
    }
    const outcome = await crowd.settle()
    const { code } = await server.end()
    if (code !== 0) broken.push(`SIGTERM ended it with ${code}`)
    await network.close()
    return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}
