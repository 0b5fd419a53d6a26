import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepared } from '../../platform/database/prepared.ts'
import { signatures } from './tables.ts'

// Append-only rows of events and signatures.

export const findLastSignatureHash = prepared('last-signature', (db, p: Placeholders<{ dealId: string }>) =>
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
