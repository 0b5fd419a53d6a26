import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fill } from '../fill.ts'
import { startCrowd } from '../ground.ts'
import { openOwnDatabase } from '../own-database.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

/** The cluster, its log, and what is written meanwhile. */
const megabytes = 256
const fullMs = 6000

/** PostgreSQL's disk has no byte left, and then has some again; where it has given up, it is started again. */
export const fullDatabase: Case = {
  name: 'database disk full',
  async run(_, rounds) {
    const own = await openOwnDatabase({ disk: megabytes })
    const server = await startServer(own.ground.settings)
    const crowd = await startCrowd(own.ground, server.baseUrl, 6)
    const broken: string[] = []
    let times = 0
    for (let round = 0; round < rounds; round++) {
      await wait(1500)
      const filler = fill(own.dataDir, megabytes)
      const before = crowd.ledger.unanswered
      await wait(fullMs)
      const live = await server.time('/health/live', 5000)
      if (live.status !== 200) broken.push(`live: ${live.status} after ${live.ms} ms`)
      if (crowd.ledger.unanswered > before) times++
      rmSync(filler)
      if (!own.isRunning()) await own.restart()
    }
    await wait(1500)
    const outcome = await crowd.settle()
    // Whatever has room already is written all the same.
    if (times === 0) broken.push('nobody noticed that the disk was full')
    const { code } = await server.end()
    if (code !== 0) broken.push(`SIGTERM ended it with ${code}`)
    await own.close()
    return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}
