import { asc, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import { sha256, signatureHash, signatureHashVersion } from './evidence-hashes.ts'
import { signatures } from './tables.ts'

export type EvidenceFault = { table: 'signatures' | 'deal_events' | 'consents'; id: string }

/** Recomputes every hash of signatures, events and consents, and returns the rows that differ. */
export async function findEvidenceFaults(db: Db): Promise<EvidenceFault[]> {
  return [
    ...(await findFaultySignatures(db)),
    ...(await findFaultyEvents(db)),
    ...(await findFaultyConsents(db)),
    ...(await findSignaturesWithoutConsent(db)),
  ]
}

/** The number of signatures held in memory at a time. */
const signaturesPerQuery = 500

async function findFaultySignatures(db: Db): Promise<EvidenceFault[]> {
  const faults: EvidenceFault[] = []
  let before: typeof signatures.$inferSelect | undefined
  for (;;) {
    const rows = await readSignaturesAfter(db, before)
    for (const row of rows) {
      const previous = before?.dealId === row.dealId ? before.hash : null
      if (!isIntactSignature(row, previous)) faults.push({ table: 'signatures', id: row.id })
      before = row
    }
    if (rows.length < signaturesPerQuery) return faults
  }
}

const readSignaturesAfter = (db: Db, before: typeof signatures.$inferSelect | undefined) =>
  db
    .select()
    .from(signatures)
    .where(before && sql`(${signatures.dealId}, ${signatures.number}) > (${before.dealId}, ${before.number})`)
    .orderBy(asc(signatures.dealId), asc(signatures.number))
    .limit(signaturesPerQuery)

function isIntactSignature(row: typeof signatures.$inferSelect, previous: Buffer | null): boolean {
  const isLinked = previous === null ? row.previousHash === null : row.previousHash?.equals(previous) === true
  const isIntact = signatureHash(row, previous).equals(row.hash) && sha256(row.terms).equals(row.termsHash)
  const hasItsSheet = row.sheetHash.equals(sha256(row.sheet))
  return row.hashedAs === signatureHashVersion && isLinked && isIntact && hasItsSheet
}

/** Computes the same hash as `record_deal_facts`. */
async function findFaultyEvents(db: Db): Promise<EvidenceFault[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id::text from (
      select *, lag(hash) over (partition by deal_id order by id) as before from deal_events
    ) e
    where e.previous_hash is distinct from e.before
      or e.hash <> sha256(coalesce(e.before, '') || convert_to(
        jsonb_build_array(deal_id, extract(epoch from at), actor, actor_id, facts, session_id, request_id, ip)::text, 'UTF8'))`)
  return rows.map(({ id }) => ({ table: 'deal_events', id }))
}

/** Computes the same hash as `record_consent`. */
async function findFaultyConsents(db: Db): Promise<EvidenceFault[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id::text from (
      select *, lag(hash) over (partition by person_id order by id) as before from consents
    ) c
    where c.previous_hash is distinct from c.before
      or c.hash <> sha256(coalesce(c.before, '') || convert_to(
        jsonb_build_array(person_id, deed, version, extract(epoch from at), session_id, ip, user_agent)::text, 'UTF8'))`)
  return rows.map(({ id }) => ({ table: 'consents', id }))
}

async function findSignaturesWithoutConsent(db: Db): Promise<EvidenceFault[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id::text from signatures s
    where consent_version is not null and not exists (
      select from consents c where c.person_id = s.signer_id and c.deed = 'given' and c.version = s.consent_version)`)
  return rows.map(({ id }) => ({ table: 'signatures', id }))
}
