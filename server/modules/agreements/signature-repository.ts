import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import { userSessionTables } from '../accounts/tables.ts'
import { passkeySignatures, signatures, signerActs } from './tables.ts'

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

/** Finds the ids of the signatures that count, the seller's first: the last one of each party. */
export const findSignatureIds = prepareQuery(
  'find-signature-ids',
  (db, p: Placeholders<{ dealId: string }>) =>
    db
      .selectDistinctOn([signatures.party], { id: signatures.id })
      .from(signatures)
      .where(eq(signatures.dealId, p.dealId))
      .orderBy(desc(signatures.party), desc(signatures.number)),
)

export const insertSignature = async (tx: Db, row: typeof signatures.$inferInsert): Promise<void> => {
  await tx.insert(signatures).values(row)
}

const { sessions } = userSessionTables
type SignerAct = {
  dealId: string
  personId: string
  act: 'shown' | 'pdf' | 'signed'
  sheetHash: Buffer
  sessionId: string
  withPassword: boolean
  signatureId: string | null
}

/** Stores what a signer did with a sheet, and when their session began; a repeated act is ignored. */
export const insertSignerAct = prepareQuery('insert-signer-act', (db, p: Placeholders<SignerAct>) =>
  db
    .insert(signerActs)
    .values({
      dealId: p.dealId,
      personId: p.personId,
      act: sql`${p.act}`,
      sheetHash: p.sheetHash,
      sessionId: p.sessionId,
      // A session that began with a link has the epoch as its time.
      signedInAt: sql`(select nullif(${sessions.signedInAt}, 'epoch') from ${sessions} where ${sessions.id} = ${p.sessionId})`,
      withPassword: sql`${p.withPassword}::boolean`,
      signatureId: p.signatureId,
    })
    .onConflictDoNothing(),
)

/** Stores that the signer's session began with a passkey, if it did (R-accounts-46). */
export const insertPasskeySignature = prepareQuery(
  'insert-passkey-signature',
  (db, p: Placeholders<{ signatureId: string; dealId: string; sessionId: string }>) =>
    db.insert(passkeySignatures).select(
      db
        .select({
          signatureId: sql`${p.signatureId}::char(24)`.as('signature_id'),
          dealId: sql`${p.dealId}::char(24)`.as('deal_id'),
          rowSum: sql`''::bytea`.as('row_sum'),
        })
        .from(sessions)
        .where(sql`${sessions.id} = ${p.sessionId} and ${sessions.withPasskey}`),
    ),
)
