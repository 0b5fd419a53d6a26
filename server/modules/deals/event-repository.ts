import { type DealEvent, encodeDealEvent, type RecordedDealEvent } from '@keyturn/contract/deals/events.ts'
import type { DealParty } from '@keyturn/contract/deals/rules.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import type { ChangeContext } from '../../platform/http/change-context.ts'

export type RecordedEvent = {
  dealId: string
  actor: DealParty
  actorId: string | null
  event: RecordedDealEvent
  sessionId?: string | null
  requestId?: string | null
  ip?: string | null
}

export async function insertDealEvent(tx: Db, event: RecordedEvent): Promise<void> {
  const { dealId, actor, actorId, sessionId = null, requestId = null, ip = null } = event
  await tx.execute(
    sql`select record_deal_facts(${dealId}, ${actor}, ${actorId}, ${encodeDealEvent(event.event)}::jsonb, ${sessionId}, ${requestId}, ${ip})`,
  )
}

export const recordDealEvent = (
  tx: Db,
  dealId: string,
  actor: DealParty,
  by: ChangeContext,
  event: DealEvent,
): Promise<void> =>
  insertDealEvent(tx, {
    dealId,
    actor,
    actorId: by.actorId,
    event,
    sessionId: by.sessionId,
    requestId: by.requestId,
    ip: by.ip,
  })
