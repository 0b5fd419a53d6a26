import { checkDealerStep } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import { type DealView, readDealView } from '../../deals/deal-view-repository.ts'
import { readDealerSteps } from '../../deals/dealer-steps.ts'
import { insertDealEvent } from '../../deals/event-repository.ts'
import { publishCarChange } from '../../deals/notify.ts'
import { cancelPassedDeal, completePassedDeal } from '../../deals/purchase/end-deal.ts'
import { lockCar } from '../../deals/purchase/lock-deal.ts'
import * as dealStore from '../../deals/repository.ts'
import { notifyDealerStep } from '../notify.ts'
import * as store from './dealer-call-repository.ts'
import { type DealerReport, isRepeatedReport, toDealEvent, toPartnerDeal } from './dealer-report.ts'
import type { SignedCall } from './signed-calls.ts'

/**
 * Records what a dealer reports about its deal, in the order of one table (R-deals-75). A repeated
 * request or report changes nothing. A report out of order fails with the deal's state.
 */
export async function recordDealerStep(
  deps: Deps,
  by: SignedCall,
  packageId: string,
  report: DealerReport,
): Promise<DealView> {
  return transaction(deps.db, async (tx) => {
    const view = await openPassedDeal(deps, tx, by, packageId)
    if (!(await insertNewCall(tx, by, packageId))) return view
    const steps = readDealerSteps(view.dealerEvents)
    if (isRepeatedReport(report, steps)) return view
    const order = checkDealerStep(
      report.step,
      steps.map(({ step }) => step),
    )
    if (order === 'done') return view
    if (order === 'out of order') throw dealErrors.InvalidTransition({ current: toPartnerDeal(view) })
    // What the dealer reports now is recorded when the deal resumes; it can still be called off.
    if (view.isPaused && report.step !== 'cancelled')
      throw dealErrors.DealPaused({ current: toPartnerDeal(view) })
    await applyReport(deps, tx, by, view, report)
    return readDealView(tx, view.deal.id)
  })
}

/** Takes the locks in the global order. A canceled deal is over, and its car may be deleted. */
async function openPassedDeal(deps: Deps, tx: Db, by: SignedCall, packageId: string): Promise<DealView> {
  const [found] = await dealStore.findPassedDeal(tx, { packageId })
  if (found?.dealerId !== by.dealer.id) throw apiErrors.NotFound()
  by.concerns(found.dealId)
  if (!found.isCancelled) await lockCar(deps, tx, found.carId)
  await dealStore.lockDealById(tx, { id: found.dealId })
  return readDealView(tx, found.dealId)
}

async function insertNewCall(
  tx: Db,
  { dealer, webhookId, bodyDigest }: SignedCall,
  packageId: string,
): Promise<boolean> {
  const [isNew] = await store.insertDealerCall(tx, { dealerId: dealer.id, webhookId, packageId, bodyDigest })
  if (isNew) return true
  const [before] = await store.findDealerCall(tx, { dealerId: dealer.id, webhookId })
  if (before?.packageId !== packageId || !before.bodyDigest.equals(bodyDigest))
    throw apiErrors.IdempotencyKeyReused()
  return false
}

async function applyReport(
  deps: Deps,
  tx: Db,
  by: SignedCall,
  view: DealView,
  report: DealerReport,
): Promise<void> {
  const event = {
    dealId: view.deal.id,
    actor: 'DEALER' as const,
    actorId: null,
    event: toDealEvent(report, by.dealer.name),
    requestId: by.requestId,
    ip: by.ip,
  }
  if (report.step === 'complete') return completePassedDeal(deps, tx, view, event)
  if (report.step === 'cancelled') return cancelPassedDeal(deps, tx, view, event, report.reason)
  await insertDealEvent(tx, event)
  await notifyDealerStep(deps, tx, view, report, by.dealer.name)
  await publishCarChange(tx, view.car)
}
