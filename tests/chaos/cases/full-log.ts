import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from '../case.ts'

/** The disk of the log is full from the start. */
export const fullLog = whileSelling('log disk full', async ({ ground, broken, open, eachRound }) => {
  const log = join(ground.dataDir, 'keyturn.log')
  rmSync(log, { force: true })
  symlinkSync('/dev/full', log)
  const { server } = await open()
  await eachRound(async () => {
    await wait(1500)
    const live = await server.time('/health/live', 5000)
    if (live.status !== 200 || live.ms > 1000) broken.push(`live: ${live.status} after ${live.ms} ms`)
  })
})
