import { readFileSync } from 'node:fs'
import { openDatabase } from './db/open.ts'
import { verifyDatabase } from './deals/actions.ts'
import { reasonOf } from './kit/reason-of.ts'
import { connectBeside, readCommandConfig } from './start/command.ts'

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
