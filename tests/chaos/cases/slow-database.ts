import { setTimeout as wait } from 'node:timers/promises'
import { openProxy } from '../../support/proxy.ts'
import { whileSelling } from './case.ts'

/** Each packet between the server and its database takes this long, and then is on time again. */
const delayMs = 150

/** The way to the database is long: everything is late, nothing is lost. */
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
