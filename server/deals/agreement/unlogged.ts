import { asc, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import type { Entry } from '../evidence-log/log-store.ts'
import { logLeaves, packages, signatures } from '../tables.ts'
import { packageHash } from './evidence.ts'

/** The oldest row of evidence that the log does not have: one that was written before there was a log. */
export async function findUnlogged(tx: Db): Promise<Entry | undefined> {
  const [signature] = await unloggedSignature(tx, {})
  if (signature) return { kind: 'signature', rowId: signature.id, digest: signature.hash }
  const [unlogged] = await unloggedPackage(tx, {})
  return unlogged && { kind: 'package', rowId: unlogged.id, digest: packageHash(unlogged.contents) }
}

const unloggedSignature = prepared('unlogged-signature', (db) =>
  db
    .select({ id: signatures.id, hash: signatures.hash })
    .from(signatures)
    .where(
      sql`not exists (select from ${logLeaves} where ${logLeaves.kind} = 'signature' and ${logLeaves.rowId} = ${signatures.id})`,
    )
    .orderBy(asc(signatures.number))
    .limit(1),
)

const unloggedPackage = prepared('unlogged-package', (db) =>
  db
    .select({ id: packages.id, contents: packages.contents })
    .from(packages)
    .where(
      sql`not exists (select from ${logLeaves} where ${logLeaves.kind} = 'package' and ${logLeaves.rowId} = ${packages.id})`,
    )
    .orderBy(asc(packages.createdAt), asc(packages.id))
    .limit(1),
)
