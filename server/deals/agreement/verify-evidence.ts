import { asc, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { signatures } from '../tables.ts'
import { sha256, signatureHash } from './evidence.ts'

export type EvidenceFault = { table: 'signatures' | 'deal_events'; id: string }

/** Recomputes every hash of signatures and events, link by link; names the rows that are not what was written. */
export async function findEvidenceFaults(db: Db): Promise<EvidenceFault[]> {
  return [...(await faultySignatures(db)), ...(await faultyEvents(db))]
}

async function faultySignatures(db: Db): Promise<EvidenceFault[]> {
  const rows = await db.select().from(signatures).orderBy(asc(signatures.dealId), asc(signatures.number))
  const last = new Map<string, Buffer>()
  const faults: EvidenceFault[] = []
  for (const row of rows) {
    const previous = last.get(row.dealId) ?? null
    const linked = previous === null ? row.previousHash === null : row.previousHash?.equals(previous) === true
    const isIntact = signatureHash(row, previous).equals(row.hash) && sha256(row.terms).equals(row.termsHash)
    const keepsSheet = row.sheet === null || row.sheetHash?.equals(sha256(row.sheet)) === true
    if (!linked || !isIntact || !keepsSheet) faults.push({ table: 'signatures', id: row.id })
    last.set(row.dealId, row.hash)
  }
  return faults
}

/** The same sum as `record_deal_facts` makes; rows without facts were summed over their words. */
async function faultyEvents(db: Db): Promise<EvidenceFault[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id::text from (
      select *, lag(hash) over (partition by deal_id order by id) as before from deal_events
    ) e
    where e.previous_hash is distinct from e.before
      or e.hash <> sha256(coalesce(e.before, '') || convert_to(
        case when facts is null
          then jsonb_build_array(deal_id, extract(epoch from at), actor, actor_id, event, "from", "to", session_id, request_id, ip)
          else jsonb_build_array(deal_id, extract(epoch from at), actor, actor_id, facts, session_id, request_id, ip)
        end::text, 'UTF8'))`)
  return rows.map(({ id }) => ({ table: 'deal_events', id }))
}
