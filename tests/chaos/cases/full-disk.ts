import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from '../case.ts'
import { fill } from '../fill.ts'

const megabytes = 8

/**
 * The data folder with photos, keys and the log is full, then has space again. Mounting its disk
 * requires root.
 */
export const fullDisk = whileSelling('data disk full', async ({ ground, broken, open, eachRound, atEnd }) => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', ground.dataDir])
  atEnd(() => execFileSync('umount', ['-l', ground.dataDir]))
  const { server } = await open()
  await eachRound(async () => {
    await wait(1000)
    const filler = fill(ground.dataDir, megabytes)
    await wait(2000)
    const live = await server.time('/health/live', 5000)
    if (live.status !== 200) broken.push(`live: ${live.status} after ${live.ms} ms`)
    rmSync(filler)
  })
  await wait(1000)
})
