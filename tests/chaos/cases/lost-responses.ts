import { setTimeout as wait } from 'node:timers/promises'
import { startLossyProxy } from '../../support/http/lossy-proxy.ts'
import { defineCase } from '../case.ts'

/** The server handles requests, but every response is dropped. */
export const lostResponses = defineCase('responses lost', async ({ open, eachRound, onCleanup }) => {
  const { server, workload } = await open()
  const network = await startLossyProxy(server.baseUrl)
  onCleanup(network.close)
  workload.target.baseUrl = network.connectionString
  await eachRound(async () => {
    await wait(1000)
    network.dropResponses()
  })
})
