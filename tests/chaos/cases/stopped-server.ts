import { setTimeout as wait } from 'node:timers/promises'
import { defineCase } from '../case.ts'

/**
 * SIGTERM under load, as in a deployment: pending requests get responses, and the next server
 * continues.
 */
export const stoppedServer = defineCase('server stopped', async ({ open, eachRound, violations }) => {
  const { server } = await open()
  await eachRound(async () => {
    await wait(1000 + Math.random() * 1000)
    const { code, ms } = await server.stop()
    if (code !== 0) violations.push(`SIGTERM ended it with ${code} after ${ms} ms`)
    await server.restart()
  })
  await wait(1000)
})
