import type { DealerEventType } from '@keyturn/contract/dealers/dealer-api.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { newOwnedId } from '../../../platform/database/new-id.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { isBuiltInDesk, toDealerConnection } from '../dealer-connection.ts'
import { findDealer } from '../dealer-repository.ts'
import { enqueueDealerEmail } from './dealer-email.ts'
import { deliverJob, deliveryJobKey } from './deliver-deal.ts'
import * as store from './delivery-repository.ts'

/** Continues the deliveries that waited while their deal was paused (R-deals-118). */
export async function resumeDealerDelivery(tx: Db, dealId: string): Promise<void> {
  const waiting = await store.resumeDeliveries(tx, { dealId })
  if (waiting.length > 0) await addJob(tx, deliverJob, { dealId }, { key: deliveryJobKey(dealId) })
}

type Passed = { dealId: string; dealerId: string; packageId: string; car: string; wantsFinancing: boolean }

/**
 * Enqueues the delivery of a deal to its dealer (R-deals-74) in the caller's transaction. A
 * financing wish is a separate event, sent only when the buyer consented to be contacted.
 */
export async function enqueueDealerDelivery(deps: Deps, tx: Db, passed: Passed): Promise<void> {
  const { dealId, dealerId, wantsFinancing } = passed
  const [row] = await findDealer(tx, { id: dealerId })
  if (!row) throw new Error('The deal has no dealer')
  const { webhookUrl, email } = toDealerConnection(deps.config, row)
  const hasSystem = webhookUrl !== null || isBuiltInDesk(deps, row)
  const kinds: DealerEventType[] = wantsFinancing ? ['deal.passed', 'deal.financing'] : ['deal.passed']
  for (const kind of kinds) {
    const event = { id: newOwnedId(dealId), dealId, dealerId, kind, way: 'webhook' as const }
    if (hasSystem) await store.insertDelivery(tx, event)
    // The dealer has neither a URL nor an email address.
    else if (email === null) await store.insertDelivery(tx, { ...event, state: 'PARKED', endedAt: now })
  }
  if (hasSystem) await addJob(tx, deliverJob, { dealId }, { key: deliveryJobKey(dealId) })
  if (email !== null) await enqueueDealerEmail(deps, tx, passed, email)
}
