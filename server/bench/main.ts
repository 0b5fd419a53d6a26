import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openEmbedded } from '../embedded-postgres/open.ts'
import { compareCalls, compareVersions } from './calls.ts'
import { coldStart } from './cold-start.ts'
import { measurePhotos } from './photos.ts'
import { compareLists } from './trades.ts'

/** `--against FOLDER`: the calls only, beside those of another version of the product. */
const { against } = parseArgs({ options: { against: { type: 'string' } } }).values
const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-bench-'))
const embedded = await openEmbedded({ dataDir })
try {
  if (against === undefined) {
    console.log(await compareCalls(await scratchDatabase('calls'), dataDir))
    console.log(await measurePhotos(await scratchDatabase('photos'), dataDir))
    console.log(await compareLists(await scratchDatabase('few'), await scratchDatabase('many'), dataDir))
  } else {
    const [own, others] = [await scratchDatabase('calls'), await scratchDatabase('calls_before')]
    console.log(await compareVersions(own, others, dataDir, against))
  }
} finally {
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
if (against === undefined) console.log(await coldStart())
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
