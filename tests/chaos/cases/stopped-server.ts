import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from '../case.ts'

/**
 * SIGTERM under load, as in a deployment: pending requests are answered, and the next server
 * continues.
 */
export const stoppedServer = whileSelling('server stopped', async ({ open, eachRound, broken }) => {
  const { server } = await open()
  await eachRound(async () => {
    await wait(1000 + Math.random() * 1000)
    const { code, ms } = await server.end()
    if (code !== 0) broken.push(`SIGTERM ended it with ${code} after ${ms} ms`)
    await server.restart()
  })
  await wait(1000)
})
