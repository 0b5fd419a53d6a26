import { evidenceLog, proven } from '@keyturn/contract/agreements/evidence-log.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../platform/database/open-database.ts'
import { databaseChecks, evidenceTables, type RowFault } from './database-checks.ts'

/** The maximum number of rows named per check; the rest are counted. */
const namedAtMost = 50

/**
 * Runs every check, prints the findings and returns the number of faulty rows. `kept` are earlier
 * heads of the log as JSON, which the log must still contain.
 */
export async function verifyDatabase(
  db: Db,
  kept: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  for (const table of await evidenceTables(db)) {
    const { rows } = await db.execute<{ n: string }>(sql`select count(*) as n from ${sql.identifier(table)}`)
    say(`${table}: ${rows[0]?.n} rows`)
  }
  let wrong = 0
  for (const { name, run } of databaseChecks) wrong += await sayFaults(name, run(db), say)
  if (kept.length > 0)
    wrong += await sayFaults('the log still has the heads that were kept', lostHeads(db, kept), say)
  say(wrong === 0 ? 'Everything is as it was written.' : `${wrong} rows are not as they were written.`)
  return wrong
}

async function sayFaults(
  name: string,
  faults: AsyncIterable<RowFault>,
  say: (line: string) => void,
): Promise<number> {
  let count = 0
  for await (const { table, id } of faults) if (count++ < namedAtMost) say(`[WRONG] ${table} ${id}`)
  if (count > namedAtMost) say(`[WRONG] and ${count - namedAtMost} more`)
  say(`${count === 0 ? '[ok]   ' : '[WRONG]'} ${name}`)
  return count
}

const head = z.object({ size: z.number(), root: z.string() })
/** Accepts `/.well-known/keyturn-log`, a PDF's attachment, or a single head. */
const keptHead = z.union([
  evidenceLog.response.transform((log) => log.head),
  proven.transform((one) => one.head),
  head,
])

/**
 * Finds earlier heads that the log lacks. Only they reveal that the database was replaced by an
 * older copy.
 */
async function* lostHeads(db: Db, kept: readonly string[]): AsyncGenerator<RowFault> {
  for (const text of kept) {
    const found = keptHead.parse(JSON.parse(text))
    if (!found) continue
    const { rows } = await db.execute(
      sql`select from log_heads where size = ${found.size} and encode(root, 'base64') = ${found.root}`,
    )
    if (rows.length === 0) yield { table: 'log_heads', id: String(found.size) }
  }
}
