import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { defineCase } from '../case.ts'

export const fullLog = defineCase('log disk full', async ({ environment, violations, open, eachRound }) => {
  const log = join(environment.dataDir, 'keyturn.log')
  rmSync(log, { force: true })
  symlinkSync('/dev/full', log)
  const { server } = await open()
  await eachRound(async () => {
    await wait(1500)
    const live = await server.measure('/health/live', 5000)
    if (live.status !== 200 || live.ms > 1000) violations.push(`live: ${live.status} after ${live.ms} ms`)
  })
})
