import { readFileSync } from 'node:fs'
import { verifyDatabase } from '../modules/deals/actions.ts'
import { openDatabase } from '../platform/database/open.ts'
import { connectBeside, readCommandConfig } from '../platform/startup/command.ts'
import { reasonOf } from '../shared/reason-of.ts'

// `npm run verify-agreements`: whether all evidence in the database is what was written. Changes nothing; the server may run or not.

const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  const { connection, stop } = await connectBeside(readCommandConfig(process.env), say)
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
