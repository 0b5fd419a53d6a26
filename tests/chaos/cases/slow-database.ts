import { setTimeout as wait } from 'node:timers/promises'
import { openProxy } from '../../support/proxy.ts'
import { whileSelling } from '../case.ts'

/** Delay in ms of each packet between the server and its database. */
const delayMs = 150

/** The database is slow to reach: all data is late and none is lost. */
export const slowDatabase = whileSelling('database slow', async ({ ground, open, eachRound, atEnd }) => {
  const network = await openProxy(ground.databaseUrl)
  atEnd(network.close)
  await open({ settings: { DATABASE_URL: network.connectionString } })
  await eachRound(async () => {
    await wait(1000)
    network.delay(delayMs)
    await wait(4000)
    network.delay(0)
  })
})
