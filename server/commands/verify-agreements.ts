import { readFileSync } from 'node:fs'
import { verifyDatabase } from '../modules/agreements/verification/verify-database.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { connectForCommand, readCommandConfig } from '../platform/startup/command-connection.ts'
import { openStore } from '../platform/storage/open-store.ts'
import { describeError } from '../shared/describe-error.ts'
import { print } from '../shared/print.ts'

// `npm run verify-agreements`: checks that all evidence in the database and the object store is unchanged. Read-only;
// the server may run or not.

try {
  const config = readCommandConfig(process.env)
  const { connection, stop } = await connectForCommand(config, print)
  const store = openStore(config)
  // Reading a whole table has no time limit.
  const database = openDatabase({ ...connection, max: 2, statement_timeout: 0 })
  const heads = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'))
  process.exitCode = (await verifyDatabase(database.db, store, heads, print)) === 0 ? 0 : 1
  await store.close()
  await database.close()
  await stop()
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`)
  process.exitCode = 2
}
