import { maxSignInAgeMs } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { blockingCar, type deleteUser as deleteUserCall } from '@keyturn/contract/deals/endpoints.ts'
import { findDealMove, isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors, saleInProgress } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { consumeLimit, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { erasePerson } from '../../accounts/people/erase-person.ts'
import { lockPersonForDeletion } from '../../accounts/people/lock-person.ts'
import { requirePassword } from '../../accounts/sessions/step-up.ts'
import { eraseClaims } from '../../cars/claims/claim-repository.ts'
import { eraseCarTexts } from '../../cars/repository.ts'
import { withdrawTrades } from '../../trades/delete-trade.ts'
import { withdrawOffers } from '../../trades/withdraw-offers.ts'
import { readDealView } from '../deal-view-repository.ts'
import { insertDealEvent } from '../event-repository.ts'
import { toDealFacts } from '../mappers.ts'
import { notifyWithdrawn, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { columnsAfterMove } from '../repository.ts'
import * as tradeStore from '../trade-repository.ts'
import { takeDownListing } from './end-deal.ts'
import { lockCar } from './lock-deal.ts'

/** Erases a person's rows of modules above this one. */
export type OtherRowsEraser = (tx: Db, personId: string) => Promise<void>

/**
 * Deletes a person's account. Fails while one of their deals is confirmed and not completed.
 * Withdraws their open requests and keeps completed deals for the other party (R-accounts-36,
 * R-accounts-37).
 */
export async function deleteUser(
  deps: Deps,
  actor: UserActor,
  { userType, id }: EndpointInput<typeof deleteUserCall>['params'],
  currentPassword: string | undefined,
  eraseOtherRows: OtherRowsEraser,
): Promise<void> {
  const isOwn = id === actor.id && userType.toUpperCase() === actor.userType
  if (isOwn) await requirePassword(deps, actor, currentPassword, maxSignInAgeMs)
  await consumeLimit(deps, throttleLimits.deleteUser, actor.id)
  if (!isOwn) throw apiErrors.NotFound()
  await transaction(deps.db, async (tx) => {
    await lockPersonForDeletion(tx, actor.id)
    for (const { carId } of await store.lockCarsOfPerson(tx, { personId: actor.id })) {
      const { car } = await lockCar(deps, tx, carId)
      const all = await store.findDealsOfCar(tx, { carId })
      const isSeller = car.sellerId === actor.id
      const ownDeals = all.filter((deal) => isSeller || deal.buyerId === actor.id)
      if (ownDeals.some((deal) => isReserved(deal.status) && !deal.completedAt))
        throw dealErrors.DealInProgress({
          message: saleInProgress(carName({ ...car, carModel: car.model })),
          current: blockingCar.encode(car),
        })
      if (isSeller && !car.completedAt)
        await takeDownListing(deps, tx, car, { actor: 'SELLER', reason: 'account deleted' })
      for (const deal of isSeller ? [] : ownDeals) {
        const view = await readDealView(tx, deal.id)
        const move = findDealMove(toDealFacts(view), 'BUYER', 'withdraw')
        if (!move) continue
        if (deal.status !== 'STARTED') await notifyWithdrawn(deps, tx, view)
        await tradeStore.deleteDealTrades(tx, { dealId: deal.id })
        await store.saveDeal(tx, deal.id, { ...columnsAfterMove(move), ...store.termsVersionBump })
        await insertDealEvent(tx, {
          dealId: deal.id,
          actor: move.by,
          actorId: actor.id,
          event: { event: 'withdrawn' },
        })
      }
      await publishCarChange(tx, car)
    }
    await eraseCarTexts(tx, { sellerId: actor.id })
    await eraseClaims(tx, { personId: actor.id })
    await eraseOtherRows(tx, actor.id)
    await withdrawTrades(deps, tx, actor.id)
    if (actor.userType === 'WHOLESALER') await withdrawOffers(tx, actor)
    await erasePerson(deps, tx, actor.id)
  })
  deps.log.info({ event: 'account deleted', user: actor.id }, 'account')
}
