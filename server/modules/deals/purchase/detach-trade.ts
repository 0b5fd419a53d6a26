import { isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { insertDealEvent } from '../event-repository.ts'
import { notifyTradeRemoved, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import * as tradeStore from '../trade-repository.ts'
import { lockCar, lockDealOfBuyer } from './lock-deal.ts'

/**
 * Detaches a trade before its deletion, which voids the signatures on its request (R-trades-15).
 * Fails when the trade is part of a confirmed or completed deal. Locks all affected cars and then
 * their deals before the caller locks the trade, so concurrent deletions are serialized.
 */
export const detachTrade =
  (deps: Deps) =>
  async (tx: Db, tradeId: string, actor: UserActor): Promise<void> => {
    await tradeStore.lockCarsOfTrade(tx, { tradeId, ownerId: actor.id })
    await detachFromRequest(deps, tx, tradeId, actor)
    await tradeStore.deselectTrade(tx, { tradeId, ownerId: actor.id })
  }

async function detachFromRequest(deps: Deps, tx: Db, tradeId: string, actor: UserActor): Promise<void> {
  const [found] = await tradeStore.findDealOfTrade(tx, { tradeId })
  if (!found) return
  const { car } = await lockCar(deps, tx, found.carId)
  const view = await lockDealOfBuyer(tx, car, actor.id)
  if (view?.deal.id !== found.dealId) return
  if (isReserved(view.deal.status)) throw dealErrors.DealInProgress()
  const inRequest = await tradeStore.findTradesOfDeal(tx, { dealId: view.deal.id })
  const removed = inRequest.find((trade) => trade._id === tradeId)
  await tradeStore.deleteDealTrade(tx, { tradeId })
  await store.saveDeal(tx, view.deal.id, store.nextDealTerms)
  if (removed)
    await insertDealEvent(tx, {
      dealId: view.deal.id,
      actor: 'BUYER',
      actorId: actor.id,
      event: { event: 'tradeRemoved', trade: removed },
    })
  await notifyTradeRemoved(deps, tx, view)
  await publishCarChange(tx, car)
}
