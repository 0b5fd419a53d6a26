import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { defineCase } from '../case.ts'
import { fillDisk } from '../fill-disk.ts'

const megabytes = 8

/**
 * The disk of the data folder (photos, keys and the log) fills up, then has space again. Mounting
 * the disk requires root.
 */
export const fullDisk = defineCase(
  'data disk full',
  async ({ environment, violations, open, eachRound, onCleanup }) => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', environment.dataDir])
    onCleanup(() => execFileSync('umount', ['-l', environment.dataDir]))
    const { server } = await open()
    await eachRound(async () => {
      await wait(1000)
      const filler = fillDisk(environment.dataDir, megabytes)
      await wait(2000)
      const live = await server.measure('/health/live', 5000)
      if (live.status !== 200) violations.push(`live: ${live.status} after ${live.ms} ms`)
      rmSync(filler)
    })
    await wait(1000)
  },
)
