import type { DealerEventType } from '@keyturn/contract/dealers/dealer-api.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { newId } from '../../../platform/database/new-id.ts'
import type { Db } from '../../../platform/database/open.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { findDealer } from '../dealer-repository.ts'
import { isOurDesk, targetOf } from '../dealer-target.ts'
import { writeDealerEmail } from './dealer-email.ts'
import { deliverJob, jobKeyOf } from './deliver-deal.ts'
import * as store from './delivery-repository.ts'

type Passed = { dealId: string; dealerId: string; packageId: string; car: string; wantsFinancing: boolean }

/**
 * What is to be done so that a dealer learns of its deal (R-deals-74), in the transaction that passes it on. A wish for
 * a loan goes as an event of its own, and only where the buyer has agreed to be called about it.
 */
export async function enqueueDealerDelivery(deps: Deps, tx: Db, passed: Passed): Promise<void> {
  const { dealId, dealerId, wantsFinancing } = passed
  const [row] = await findDealer(tx, { id: dealerId })
  if (!row) throw new Error('The deal has no dealer')
  const { webhookUrl, email } = targetOf(deps.config, row)
  const hasSystem = webhookUrl !== null || isOurDesk(deps, row)
  const kinds: DealerEventType[] = wantsFinancing ? ['deal.passed', 'deal.financing'] : ['deal.passed']
  for (const kind of kinds) {
    const event = { id: newId(), dealId, dealerId, kind, way: 'webhook' as const }
    if (hasSystem) await store.insertDelivery(tx, event)
    // Nothing can be done for it: neither an address nor a mailbox is known.
    else if (email === null) await store.insertDelivery(tx, { ...event, state: 'PARKED', endedAt: now })
  }
  if (hasSystem) await addJob(tx, deliverJob, { dealId }, { key: jobKeyOf(dealId) })
  if (email !== null) await writeDealerEmail(deps, tx, passed, email)
}
