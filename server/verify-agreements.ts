import { readFileSync } from 'node:fs'
import { readConfig } from './config.ts'
import { openDatabase } from './db/open.ts'
import { verifyDatabase } from './deals/actions.ts'
import { openEmbedded } from './embedded-postgres/open.ts'
import { runningIn } from './embedded-postgres/running.ts'
import { reasonOf } from './kit/reason-of.ts'

// `npm run verify-agreements`: whether all evidence in the database is what was written. Changes nothing; the server may run or not.

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Nothing here signs anybody in, and none is made for it. */
const unused = '-'.repeat(32)
const noSecrets = {
  SESSION_SECRET: unused,
  EVIDENCE_KEY: unused,
  ADMIN_PASSWORD: unused,
  VAPID_PRIVATE_KEY: `${'A'.repeat(42)}E`,
}

async function open(env: NodeJS.ProcessEnv) {
  const { databaseUrl, dataDir } = readConfig({ ...env, ...noSecrets, NODE_ENV: undefined })
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop: async () => {} }
  const connection = runningIn(dataDir)
  return connection ? { connection, stop: async () => {} } : openEmbedded({ dataDir, onProgress: say })
}

try {
  const { connection, stop } = await open(process.env)
  // What reads a whole table takes as long as it takes.
  const database = openDatabase({ ...connection, max: 2, statement_timeout: 0 })
  const heads = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'))
  process.exitCode = (await verifyDatabase(database.db, heads, say)) === 0 ? 0 : 1
  await database.close()
  await stop()
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 2
}
