import { logProof, readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import { parseCheckpoint } from '@keyturn/contract/agreements/verification/log-history.ts'
import { noteText } from '@keyturn/contract/shared/crypto/signed-note.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../platform/database/open-database.ts'
import type { DocumentStore } from '../../../platform/storage/document-store.ts'
import { databaseChecks, findEvidenceTables, type RowFault } from './database-checks.ts'

/** The maximum number of rows named per check; the rest are counted. */
const maxNamedRows = 50

/**
 * Runs every check, prints the findings and returns the number of faulty rows. `storedHeads` are
 * earlier heads of the log, as JSON or as checkpoints, which the log must still contain.
 */
export async function verifyDatabase(
  db: Db,
  store: { documents: DocumentStore },
  storedHeads: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  for (const table of await findEvidenceTables(db)) {
    const { rows } = await db.execute<{ n: string }>(sql`select count(*) as n from ${sql.identifier(table)}`)
    print(`${table}: ${rows[0]?.n} rows`)
  }
  let faultCount = 0
  for (const { name, run } of databaseChecks) faultCount += await printFaults(name, run(db, store), print)
  if (storedHeads.length > 0)
    faultCount += await printFaults(
      'the log still contains the stored heads',
      findLostHeads(db, storedHeads),
      print,
    )
  print(
    faultCount === 0
      ? 'Everything is as it was written.'
      : `${faultCount} rows are not as they were written.`,
  )
  return faultCount
}

async function printFaults(
  name: string,
  faults: AsyncIterable<RowFault>,
  print: (line: string) => void,
): Promise<number> {
  let count = 0
  for await (const { table, id } of faults) if (count++ < maxNamedRows) print(`[WRONG] ${table} ${id}`)
  if (count > maxNamedRows) print(`[WRONG] and ${count - maxNamedRows} more`)
  print(`${count === 0 ? '[ok]   ' : '[WRONG]'} ${name}`)
  return count
}

const head = z.object({ size: z.number(), root: z.string() })
/** Accepts `/.well-known/keyturn-log`, a PDF's attachment, or a single head; checkpoints, too. */
const headFile = z.union([
  readEvidenceLog.response.transform((log) => log.head),
  logProof.transform((one) => one.head),
  head,
])

/** Finds earlier heads that the log lacks, which reveal an older copy of the database. */
async function* findLostHeads(db: Db, storedHeads: readonly string[]): AsyncGenerator<RowFault> {
  for (const text of storedHeads) {
    const found = readStoredHead(text)
    if (!found) continue
    const { rows } = await db.execute(
      sql`select from log_heads where size = ${found.size} and encode(root, 'base64') = ${found.root}`,
    )
    if (rows.length === 0) yield { table: 'log_heads', id: String(found.size) }
  }
}

function readStoredHead(text: string): z.output<typeof headFile> {
  const checkpoint = parseCheckpoint(noteText(text))
  if (!checkpoint) return headFile.parse(JSON.parse(text))
  return { size: checkpoint.size, root: Buffer.from(checkpoint.root).toString('base64') }
}
