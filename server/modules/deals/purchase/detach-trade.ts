import { isDeepStrictEqual } from 'node:util'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { toLoan } from '../../cars/mappers.ts'
import type { LockRequestOfTrade } from '../../trades/set-trade-loan.ts'
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
  const found = await lockOpenRequest(deps, tx, tradeId, actor)
  if (!found) return
  const { car, view } = found
  const inRequest = await tradeStore.findTradesOfDeal(tx, { dealId: view.deal.id })
  const removed = inRequest.find((trade) => trade._id === tradeId)
  await tradeStore.deleteDealTrade(tx, { tradeId })
  await store.saveDeal(tx, view.deal.id, store.termsVersionBump)
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

/** Locks the request that contains a trade. Throws when its buyer is confirmed. */
async function lockOpenRequest(deps: Deps, tx: Db, tradeId: string, actor: UserActor) {
  const [found] = await tradeStore.findDealOfTrade(tx, { tradeId })
  if (!found) return null
  const { car } = await lockCar(deps, tx, found.carId)
  const view = await lockDealOfBuyer(tx, car, actor.id)
  if (view?.deal.id !== found.dealId) return null
  if (view.deal.status === 'COMPLETED') throw tradeErrors.TradeSold()
  if (isReserved(view.deal.status)) throw dealErrors.DealInProgress()
  return { car, view }
}

/** A changed loan on a trade is a change of its request's terms (R-trades-39). */
export const lockRequestOfTrade =
  (deps: Deps): LockRequestOfTrade =>
  async (tx, tradeId, actor) => {
    const found = await lockOpenRequest(deps, tx, tradeId, actor)
    if (!found) return null
    const { car, view } = found
    return async (before, after) => {
      const [from, to] = [before, after].map((row) => ({ owes: row.payoff, ...toLoan(row) }))
      if (!from || !to || isDeepStrictEqual(from, to)) return
      await store.saveDeal(tx, view.deal.id, store.termsVersionBump)
      await insertDealEvent(tx, {
        dealId: view.deal.id,
        actor: 'BUYER',
        actorId: actor.id,
        event: { event: 'loanChanged', of: 'TRADE', vin: after.vin, from, to },
      })
      await publishCarChange(tx, car)
    }
  }
