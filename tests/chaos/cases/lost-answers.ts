import { setTimeout as wait } from 'node:timers/promises'
import { openProxy } from '../../support/proxy.ts'
import { whileSelling } from '../case.ts'

/** The server handles requests, but every response is dropped. */
export const lostAnswers = whileSelling('answers lost', async ({ open, eachRound, atEnd }) => {
  const { server, crowd } = await open()
  const network = await openProxy(server.baseUrl)
  atEnd(network.close)
  crowd.where.baseUrl = network.connectionString
  await eachRound(async () => {
    await wait(1000)
    network.swallowAnswers()
  })
})
