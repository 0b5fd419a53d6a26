import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import { recordAdminEvent } from '../../accounts/administrator/admin-events.ts'
import { readDealView } from '../deal-view-repository.ts'
import { toProgress } from '../mappers.ts'
import { findPassedDeal } from '../repository.ts'
import { completePassedDeal } from './end-deal.ts'
import { lockCar, lockDealOfBuyer } from './lock-deal.ts'

/**
 * Completes the sale. Every other request for the car ends, and its trades are freed. Repeating the
 * call changes nothing (R-deals-43).
 */
export async function completeDeal(
  deps: Deps,
  by: Administrator,
  packageId: string,
  requestId: string,
): Promise<Progress> {
  return transaction(deps, async (tx) => {
    const [found] = await findPassedDeal(tx, { packageId })
    if (!found) throw apiErrors.NotFound()
    const { car } = await lockCar(deps, tx, found.carId)
    await lockDealOfBuyer(tx, car, found.buyerId)
    // After a cancellation by the dealer, the buyer may have a newer deal on this car.
    const view = await readDealView(tx, found.dealId)
    for (const personId of [car.sellerId, found.buyerId])
      await recordAdminEvent(tx, by, {
        act: 'completedDeal',
        personId,
        subject: packageId,
        before: { status: view.deal.status },
        after: { status: 'COMPLETED' },
      })
    if (view.deal.status === 'COMPLETED') return toProgress(view, deps.config, null)
    if (view.deal.withdrawnAt) throw dealErrors.InvalidTransition()
    await completePassedDeal(deps, tx, view, {
      dealId: view.deal.id,
      actor: 'ADMIN',
      actorId: null,
      event: { event: 'completed', by: by.username },
      sessionId: by.sessionId,
      requestId,
    })
    return toProgress(await readDealView(tx, view.deal.id), deps.config, null)
  })
}
