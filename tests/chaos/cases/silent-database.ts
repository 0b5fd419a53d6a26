import { setTimeout as wait } from 'node:timers/promises'
import { startLossyProxy } from '../../support/http/lossy-proxy.ts'
import { defineCase } from '../case.ts'

/** The network keeps every database connection open and drops all data. */
export const silentDatabase = defineCase('database silent', async (context) => {
  const network = await startLossyProxy(context.environment.databaseUrl)
  context.onCleanup(network.close)
  const { server, workload } = await context.open({ settings: { DATABASE_URL: network.connectionString } })
  await context.eachRound(async (round) => {
    await wait(1500)
    const isLongFault = round % 2 === 1
    network.drop(isLongFault ? 'all' : 'old')
    for (let asked = 0; asked < 4; asked++) {
      const ready = await server.measure('/health/ready', 10_000)
      if (ready.status === null || ready.ms > 3500) context.violations.push(`ready took ${ready.ms} ms`)
      await wait(1000)
    }
    network.heal()
    const before = workload.ledger.acknowledged.length
    for (let waited = 0; workload.ledger.acknowledged.length === before && waited < 300; waited++)
      await wait(100)
  })
})
