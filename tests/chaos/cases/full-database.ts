import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { defineCase } from '../case.ts'
import { fillDisk } from '../fill-disk.ts'
import { startSeparateDatabase } from '../separate-database.ts'

/** Size of the disk, which holds the cluster, its write-ahead log and the test's data. */
const megabytes = 256
const fullMs = 6000

/** PostgreSQL's disk fills up, then has space again. PostgreSQL is restarted if it stopped. */
export const fullDatabase = defineCase(
  'database disk full',
  async ({ violations, open, eachRound, onCleanup }) => {
    const separate = await startSeparateDatabase({ disk: megabytes })
    onCleanup(separate.close)
    const { server, workload } = await open(separate)
    let faults = 0
    await eachRound(async () => {
      await wait(1500)
      const filler = fillDisk(separate.dataDir, megabytes)
      const before = workload.ledger.unanswered
      await wait(fullMs)
      const live = await server.measure('/health/live', 5000)
      if (live.status !== 200) violations.push(`live: ${live.status} after ${live.ms} ms`)
      if (workload.ledger.unanswered > before) faults++
      rmSync(filler)
      if (!separate.isRunning()) await separate.restart()
    })
    await wait(1500)
    // Writes that fit into allocated pages still succeed.
    if (faults === 0) violations.push('the full disk had no effect')
  },
)
