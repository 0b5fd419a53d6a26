import { asc, eq, lte, sql } from 'drizzle-orm'
import { now } from '../database/columns.ts'
import { type Placeholders, prepareQuery } from '../database/prepare-query.ts'
import { documents } from './tables.ts'

/** Claims a document before it is stored. It is swept after a day unless it is pinned. */
export const claimDocument = prepareQuery(
  'claim-document',
  (db, p: Placeholders<{ digest: Buffer; byteCount: number }>) => {
    const sweepAfter = sql`${now} + interval '1 day'`
    return db
      .insert(documents)
      .values({ digest: p.digest, byteCount: p.byteCount, sweepAfter })
      .onConflictDoUpdate({
        target: documents.digest,
        set: { sweepAfter },
        setWhere: sql`${documents.sweepAfter} is not null`,
      })
  },
)

/** Pins a document in the transaction that refers to it. Returns no row if it was swept. */
export const pinDocument = prepareQuery('pin-document', (db, p: Placeholders<{ digest: Buffer }>) =>
  db
    .update(documents)
    .set({ sweepAfter: null })
    .where(eq(documents.digest, p.digest))
    .returning({ digest: documents.digest }),
)

export const lockNextDocumentToSweep = prepareQuery('lock-next-document-to-sweep', (db) =>
  db
    .select({ digest: documents.digest })
    .from(documents)
    .where(lte(documents.sweepAfter, now))
    .orderBy(asc(documents.sweepAfter))
    .limit(1)
    .for('update', { skipLocked: true }),
)

export const deleteDocument = prepareQuery('delete-document', (db, p: Placeholders<{ digest: Buffer }>) =>
  db.delete(documents).where(eq(documents.digest, p.digest)),
)
