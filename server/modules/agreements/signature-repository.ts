import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import { signatures } from './tables.ts'

export const findLastSignatureHash = prepareQuery(
  'find-last-signature-hash',
  (db, p: Placeholders<{ dealId: string }>) =>
    db
      .select({ hash: signatures.hash })
      .from(signatures)
      .where(eq(signatures.dealId, p.dealId))
      .orderBy(desc(signatures.number))
      .limit(1),
)

export const insertSignature = async (tx: Db, row: typeof signatures.$inferInsert): Promise<void> => {
  await tx.insert(signatures).values(row)
}
