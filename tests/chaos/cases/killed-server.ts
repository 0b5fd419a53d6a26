import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from './case.ts'

/** SIGKILL at any moment, the one between a commit and its answer among them. */
export const killedServer = whileSelling('server killed', async ({ open, eachRound }) => {
  const { server } = await open()
  await eachRound(async () => {
    await wait(1000 + Math.random() * 1000)
    await server.killAndRestart()
  })
  await wait(1000)
})
