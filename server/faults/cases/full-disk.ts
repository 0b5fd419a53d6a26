import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fill } from '../fill.ts'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

const megabytes = 8

/** The data folder, with photos, keys and the log, has no byte left, and then has some again. Only root can mount its disk. */
export const fullDisk: Case = {
  name: 'data disk full',
  async run(ground, rounds) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', ground.dataDir])
    try {
      const server = await startServer(ground.settings)
      const crowd = await startCrowd(ground, server.baseUrl, 6)
      const broken: string[] = []
      for (let round = 0; round < rounds; round++) {
        await wait(1000)
        const filler = fill(ground.dataDir, megabytes)
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
