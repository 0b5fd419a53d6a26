import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbedded } from '../embedded-postgres/open.ts'
import { compareCalls } from './calls.ts'
import { coldStart } from './cold-start.ts'
import { compareLists } from './trades.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-bench-'))
const embedded = await openEmbedded({ dataDir })
try {
  console.log(await compareCalls(await scratchDatabase('calls'), dataDir))
  console.log(await compareLists(await scratchDatabase('few'), await scratchDatabase('many'), dataDir))
} finally {
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(await coldStart())
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
