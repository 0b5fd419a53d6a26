import { setTimeout as wait } from 'node:timers/promises'
import { startLossyProxy } from '../../support/http/lossy-proxy.ts'
import { defineCase } from '../case.ts'

/** Delay in ms of each packet between the server and its database. */
const delayMs = 150

/** The network to the database delays all data and loses none. */
export const slowDatabase = defineCase(
  'database slow',
  async ({ environment, open, eachRound, onCleanup }) => {
    const network = await startLossyProxy(environment.databaseUrl)
    onCleanup(network.close)
    await open({ settings: { DATABASE_URL: network.connectionString } })
    await eachRound(async () => {
      await wait(1000)
      network.delay(delayMs)
      await wait(4000)
      network.delay(0)
    })
  },
)
