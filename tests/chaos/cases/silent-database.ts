import { setTimeout as wait } from 'node:timers/promises'
import { openProxy } from '../../support/proxy.ts'
import { whileSelling } from '../case.ts'

/** The network keeps every database connection open and drops all data. */
export const silentDatabase = whileSelling('database silent', async (stage) => {
  const network = await openProxy(stage.ground.databaseUrl)
  stage.atEnd(network.close)
  const { server, crowd } = await stage.open({ settings: { DATABASE_URL: network.connectionString } })
  await stage.eachRound(async (round) => {
    await wait(1500)
    const isLongFault = round % 2 === 1
    network.swallow(isLongFault ? 'all' : 'old')
    for (let asked = 0; asked < 4; asked++) {
      const ready = await server.time('/health/ready', 10_000)
      if (ready.status === null || ready.ms > 3500) stage.broken.push(`ready took ${ready.ms} ms`)
      await wait(1000)
    }
    network.heal()
    const before = crowd.ledger.acknowledged.length
    for (let waited = 0; crowd.ledger.acknowledged.length === before && waited < 300; waited++)
      await wait(100)
  })
})
