import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openEmbedded } from '../embedded-postgres/open.ts'
import { compareCalls, compareVersions } from './calls.ts'
import { coldStart } from './cold-start.ts'
import { compareExpress } from './express.ts'
import { measurePhotos } from './photos.ts'
import { compareLists } from './trades.ts'

/** `--against FOLDER`: the calls only, beside those of another version of the product. `--only NAME`: one part. */
const { against, only } = parseArgs({
  options: { against: { type: 'string' }, only: { type: 'string' } },
}).values
const parts = {
  calls: async () => compareCalls(await scratchDatabase('calls'), dataDir),
  express: async () => compareExpress(await scratchDatabase('express'), dataDir),
  photos: async () => measurePhotos(await scratchDatabase('photos'), dataDir),
  lists: async () => compareLists(await scratchDatabase('few'), await scratchDatabase('many'), dataDir),
}
const chosen = Object.entries(parts).filter(([name]) => name === (only ?? name))
if (chosen.length === 0) throw new Error(`There is no part "${only}": ${Object.keys(parts).join(', ')}`)
const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-bench-'))
const embedded = await openEmbedded({ dataDir })
try {
  if (against === undefined) {
    for (const [, measure] of chosen) console.log(await measure())
  } else {
    const [own, others] = [await scratchDatabase('calls'), await scratchDatabase('calls_before')]
    console.log(await compareVersions(own, others, dataDir, against))
  }
} finally {
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
if (against === undefined && only === undefined) console.log(await coldStart())
process.exit(0)

async function scratchDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: embedded.connectionString })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(embedded.connectionString)
  url.pathname = `/${name}`
  return url.href
}
