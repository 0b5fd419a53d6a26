import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fill } from '../fill.ts'
import { openOwnDatabase } from '../own-database.ts'
import { whileSelling } from './case.ts'

/** The cluster, its log, and what is written meanwhile. */
const megabytes = 256
const fullMs = 6000

/** PostgreSQL's disk has no byte left, and then has some again; where it has given up, it is started again. */
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
  // Whatever has room already is written all the same.
  if (times === 0) broken.push('nobody noticed that the disk was full')
})
