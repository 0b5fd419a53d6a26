import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

const diskBytes = 8 * 1024 * 1024

/** The data folder, with photos, keys and the log, has no byte left, and then has some again. Only root can mount its disk. */
export const fullDisk: Case = {
  name: 'data disk full',
  async run(ground, rounds) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', ground.dataDir])
    try {
      const server = await startServer(ground.settings)
      const crowd = await startCrowd(ground, server.baseUrl, 6)
      const broken: string[] = []
      for (let round = 0; round < rounds; round++) {
        await wait(1000)
        const filler = fill(ground.dataDir)
        await wait(2000)
        const live = await server.time('/health/live', 5000)
        if (live.status !== 200) broken.push(`live: ${live.status} after ${live.ms} ms`)
        rmSync(filler)
      }
      await wait(1000)
      const outcome = await crowd.settle()
      const { code } = await server.end()
      if (code !== 0) broken.push(`SIGTERM ended it with ${code}`)
      return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
    } finally {
      execFileSync('umount', ['-l', ground.dataDir])
    }
  },
}

/** The last write is cut short where the disk ends, so that not one byte is left. */
function fill(folder: string): string {
  const path = join(folder, 'filler')
  try {
    writeFileSync(path, Buffer.alloc(diskBytes))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return path
    throw error
  }
  throw new Error('The disk has more room than it was given')
}
