import { dealerStepOpen } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { DealView } from '../../deals/deal-view-repository.ts'
import { readDealView } from '../../deals/deal-view-repository.ts'
import { stepsOf } from '../../deals/dealer-steps.ts'
import { recordEvent } from '../../deals/event-repository.ts'
import { publishCarChange } from '../../deals/notify.ts'
import { cancelPassed, completePassed } from '../../deals/purchase/end-deal.ts'
import { openCar } from '../../deals/purchase/lock-deal.ts'
import * as dealStore from '../../deals/repository.ts'
import { notifyDealerStep } from '../notify.ts'
import * as store from './dealer-call-repository.ts'
import type { SignedCall } from './signed-calls.ts'
import { eventOf, isLastOfItsKind, partnerDealOf, type Said } from './steps.ts'

/**
 * Records what a dealer reports about its deal, in the order of one table (R-deals-75). A repeated
 * request or report changes nothing. One out of order fails with the deal's state.
 */
export async function recordDealerStep(
  deps: Deps,
  by: SignedCall,
  packageId: string,
  said: Said,
): Promise<DealView> {
  return transaction(deps.db, async (tx) => {
    const view = await openPassed(deps, tx, by, packageId)
    if (!(await isNewCall(tx, by, packageId))) return view
    const steps = stepsOf(view)
    if (isLastOfItsKind(said, steps)) return view
    const order = dealerStepOpen(
      said.step,
      steps.map(({ step }) => step),
    )
    if (order === 'done') return view
    if (order === 'out of order') throw dealErrors.InvalidTransition({ current: partnerDealOf(view) })
    await take(deps, tx, by, view, said)
    return readDealView(tx, view.deal.id)
  })
}

/** Takes the locks in the global order. A canceled deal is over, and its car may be deleted. */
async function openPassed(deps: Deps, tx: Db, by: SignedCall, packageId: string): Promise<DealView> {
  const [found] = await dealStore.findPassedDeal(tx, { packageId })
  if (found?.dealerId !== by.dealer.id) throw apiErrors.NotFound()
  by.concerns(found.dealId)
  if (!found.isCancelled) await openCar(deps, tx, found.carId)
  await dealStore.lockDealById(tx, { id: found.dealId })
  return readDealView(tx, found.dealId)
}

async function isNewCall(
  tx: Db,
  { dealer, webhookId, bodyDigest }: SignedCall,
  packageId: string,
): Promise<boolean> {
  const [isNew] = await store.insertDealerCall(tx, { dealerId: dealer.id, webhookId, packageId, bodyDigest })
  if (isNew) return true
  const [before] = await store.findCall(tx, { dealerId: dealer.id, webhookId })
  if (before?.packageId !== packageId || !before.bodyDigest.equals(bodyDigest))
    throw apiErrors.IdempotencyKeyReused()
  return false
}

async function take(deps: Deps, tx: Db, by: SignedCall, view: DealView, said: Said): Promise<void> {
  const event = {
    dealId: view.deal.id,
    actor: 'DEALER' as const,
    actorId: null,
    event: eventOf(said, by.dealer.name),
    requestId: by.requestId,
    ip: by.ip,
  }
  if (said.step === 'complete') return completePassed(deps, tx, view, event)
  if (said.step === 'cancelled') return cancelPassed(deps, tx, view, event, said.reason)
  await recordEvent(tx, event)
  await notifyDealerStep(deps, tx, view, said, by.dealer.name)
  await publishCarChange(tx, view.car)
}
