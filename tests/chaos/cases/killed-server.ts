import { setTimeout as wait } from 'node:timers/promises'
import { defineCase } from '../case.ts'

/** SIGKILL at random moments, including between a commit and its response. */
export const killedServer = defineCase('server killed', async ({ open, eachRound }) => {
  const { server } = await open()
  await eachRound(async () => {
    await wait(1000 + Math.random() * 1000)
    await server.killAndRestart()
  })
  await wait(1000)
})
