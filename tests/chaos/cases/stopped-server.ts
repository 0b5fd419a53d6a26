import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from './case.ts'

/** SIGTERM while everybody sells, as at each deployment: what is being answered is answered, and the next server goes on. */
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
