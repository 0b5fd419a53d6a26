import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from '../case.ts'
import { fill } from '../fill.ts'
import { openOwnDatabase } from '../own-database.ts'

/** Size of the disk, for the cluster, its log and the data written. */
const megabytes = 256
const fullMs = 6000

/** PostgreSQL's disk is full, then has space again. PostgreSQL is restarted if it stopped. */
export const fullDatabase = whileSelling('database disk full', async ({ broken, open, eachRound, atEnd }) => {
  const own = await openOwnDatabase({ disk: megabytes })
  atEnd(own.close)
  const { server, crowd } = await open(own)
  let times = 0
  await eachRound(async () => {
    await wait(1500)
    const filler = fill(own.dataDir, megabytes)
    const before = crowd.ledger.unanswered
    await wait(fullMs)
    const live = await server.time('/health/live', 5000)
    if (live.status !== 200) broken.push(`live: ${live.status} after ${live.ms} ms`)
    if (crowd.ledger.unanswered > before) times++
    rmSync(filler)
    if (!own.isRunning()) await own.restart()
  })
  await wait(1500)
  // Writes that fit into allocated pages still succeed.
  if (times === 0) broken.push('nobody noticed that the disk was full')
})
