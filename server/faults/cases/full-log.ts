import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

/** No room for a single line of the log, from the start. */
export const fullLog: Case = {
  name: 'log disk full',
  async run(ground, rounds) {
    const log = join(ground.dataDir, 'keyturn.log')
    rmSync(log, { force: true })
    symlinkSync('/dev/full', log)
    const server = await startServer(ground.settings)
    const crowd = await startCrowd(ground, server.baseUrl, 6)
    const broken: string[] = []
    for (let round = 0; round < rounds; round++) {
      await wait(1500)
      const live = await server.time('/health/live', 5000)
      if (live.status !== 200 || live.ms > 1000) broken.push(`live: ${live.status} after ${live.ms} ms`)
    }
    const outcome = await crowd.settle()
    const { code, ms } = await server.end()
    if (code !== 0) broken.push(`SIGTERM ended it with ${code} after ${ms} ms`)
    return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}
