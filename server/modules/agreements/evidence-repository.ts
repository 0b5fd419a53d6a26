import { encodeDealEvent, type RecordedDealEvent } from '@keyturn/contract/deals/events.ts'
import type { DealParty } from '@keyturn/contract/deals/rules.ts'
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepared } from '../../platform/database/prepared.ts'
import { packages, signatures } from './tables.ts'

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

export type RecordedEvent = {
  dealId: string
  actor: DealParty
  actorId: string | null
  event: RecordedDealEvent
  sessionId?: string | null
  requestId?: string | null
  ip?: string | null
}

export async function recordEvent(tx: Db, event: RecordedEvent): Promise<void> {
  const { dealId, actor, actorId, sessionId = null, requestId = null, ip = null } = event
  await tx.execute(
    sql`select record_deal_facts(${dealId}, ${actor}, ${actorId}, ${encodeDealEvent(event.event)}::jsonb, ${sessionId}, ${requestId}, ${ip})`,
  )
}

export const insertPackage = async (
  tx: Db,
  row: { id: string; dealId: string; contents: unknown },
): Promise<void> => {
  await tx.insert(packages).values(row)
}
