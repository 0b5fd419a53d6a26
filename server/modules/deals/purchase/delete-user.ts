import { freshSignInMs } from '@keyturn/contract/accounts/rules.ts'
import type { deleteUser as deleteUserCall } from '@keyturn/contract/deals/endpoints.ts'
import { findMove, isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { consumeLimit, limits } from '../../../platform/rate-limits/throttles.ts'
import { erasePerson, lockPersonForDeletion, requirePassword } from '../../accounts/actions.ts'
import { eraseWords } from '../../cars/repository.ts'
import { withdrawOffers, withdrawTrades } from '../../trades/actions.ts'
import { readDealView } from '../deal-view-repository.ts'
import { recordEvent } from '../event-repository.ts'
import { dealFacts } from '../mappers.ts'
import { notifyWithdrawn, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { movedTo } from '../repository.ts'
import * as tradeStore from '../trade-repository.ts'
import { takeDown } from './end-deal.ts'
import { openCar } from './lock-deal.ts'

/** Erases a person's rows of modules above this one. */
export type EraseAlso = (tx: Db, personId: string) => Promise<void>

/**
 * Deletes a person's account. Fails while one of their deals is confirmed and not completed.
 * Withdraws pending requests and retains fully signed deals for the other party (R-accounts-36,
 * R-accounts-37).
 */
export async function deleteUser(
  deps: Deps,
  actor: UserActor,
  { userType, id }: EndpointInput<typeof deleteUserCall>['params'],
  currentPassword: string | undefined,
  eraseAlso: EraseAlso,
): Promise<void> {
  const isOwn = id === actor.id && userType.toUpperCase() === actor.userType
  if (isOwn) await requirePassword(deps, actor, currentPassword, freshSignInMs)
  await consumeLimit(deps, limits.deleteUser, actor.id)
  if (!isOwn) throw apiErrors.NotFound()
  await transaction(deps.db, async (tx) => {
    await lockPersonForDeletion(tx, actor.id)
    for (const { carId } of await store.lockCarsOfPerson(tx, { personId: actor.id })) {
      const { car } = await openCar(deps, tx, carId)
      const all = await store.findDealsOfCar(tx, { carId })
      const isSeller = car.sellerId === actor.id
      const theirs = all.filter((deal) => isSeller || deal.buyerId === actor.id)
      if (theirs.some((deal) => isReserved(deal.status) && !deal.completedAt))
        throw dealErrors.DealInProgress()
      if (isSeller && !car.completedAt)
        await takeDown(deps, tx, car, { actor: 'SELLER', reason: 'account deleted' })
      for (const deal of isSeller ? [] : theirs) {
        const view = await readDealView(tx, deal.id)
        const move = findMove(dealFacts(view), 'BUYER', 'withdraw')
        if (!move) continue
        if (deal.status !== 'STARTED') await notifyWithdrawn(deps, tx, view)
        await tradeStore.freeTrades(tx, { dealId: deal.id })
        await store.saveDeal(tx, deal.id, { ...movedTo(move), ...store.newDealTerms })
        await recordEvent(tx, {
          dealId: deal.id,
          actor: move.by,
          actorId: actor.id,
          event: { event: 'withdrawn' },
        })
      }
      await publishCarChange(tx, car)
    }
    await eraseWords(tx, { sellerId: actor.id })
    await eraseAlso(tx, actor.id)
    await withdrawTrades(tx, actor.id)
    if (actor.userType === 'WHOLESALER') await withdrawOffers(tx, actor)
    await erasePerson(deps, tx, actor.id)
  })
  deps.log.info({ event: 'account deleted', user: actor.id }, 'account')
}
