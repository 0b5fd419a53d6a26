import { freshSignInMs } from '@keyturn/contract/accounts/rules.ts'
import type { deleteUser as deleteUserCall } from '@keyturn/contract/deals/endpoints.ts'
import { findMove, isReserved } from '@keyturn/contract/deals/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { Administrator, UserActor } from '../../platform/http/authorization.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { consumeLimit, limits } from '../../platform/rate-limits/throttles.ts'
import { erasePerson, lockPersonForDeletion, requirePassword } from '../accounts/actions.ts'
import { storeAgreementPdf } from '../agreements/agreement-pdf-store.ts'
import { keepAgreementJob } from '../agreements/create-deal-package.ts'
import * as evidenceStore from '../agreements/evidence-repository.ts'
import { remindOfHold, remindOfHoldJob } from '../agreements/hold-reminder.ts'
import { settleHoldsJob } from '../agreements/sign.ts'
import { forgetCars } from '../cars/actions.ts'
import { findPassedDeal } from '../dealers/dealer-api/dealer-call-repository.ts'
import { deliverJob, deliverTask } from '../dealers/webhook-delivery/deliver-deal.ts'
import { forgetMessages } from '../messages/messages.ts'
import { withdrawOffers, withdrawTrades } from '../trades/actions.ts'
import { completePassed, takeDown } from './end-deal.ts'
import { dealFacts, progressOf } from './mappers.ts'
import { notifyTradeRemoved, notifyWithdrawn, publishCarChange } from './notify.ts'
import { currentOf, movedTo, openCar, openDealOf, readDealView, settleHolds } from './open-deal.ts'
import { dealReminders } from './reminders.ts'
import * as store from './repository.ts'
import * as tradeStore from './trade-repository.ts'

export { agreementEmails } from '../agreements/agreement-pdf-store.ts'
export { readHeadForBackup } from '../agreements/evidence-log/log.ts'
export { dealPictures } from '../agreements/shown-photos.ts'
export { verifyDatabase } from '../agreements/verification/verify-database.ts'
export { dealerEmails } from '../dealers/webhook-delivery/dealer-email.ts'
export { parkDeliveries } from '../dealers/webhook-delivery/delivery-repository.ts'
export { countDeals, foldDealCounts } from './deal-counts.ts'

/**
 * Completes the sale. Every other request for the car ends and its trades are freed. Repeating it
 * changes nothing (R-deals-43).
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
    const { car } = await openCar(deps, tx, found.carId)
    await openDealOf(tx, car, found.buyerId)
    // After a cancellation by the dealer, the buyer may have a newer deal on this car.
    const view = await readDealView(tx, found.dealId)
    if (view.deal.status === 'COMPLETED') return progressOf(view, deps.config.dealer, null)
    if (view.deal.withdrawnAt) throw dealErrors.InvalidTransition({ current: currentOf(view, deps, null) })
    await completePassed(deps, tx, view, {
      dealId: view.deal.id,
      actor: 'ADMIN',
      actorId: null,
      event: { event: 'completed', by: by.username },
      sessionId: by.sessionId,
      requestId,
    })
    return progressOf(await readDealView(tx, view.deal.id), deps.config.dealer, null)
  })
}

/**
 * Deletes a person's account. Fails while one of their deals is confirmed and not completed.
 * Withdraws pending requests and retains fully signed deals for the other party (R-accounts-36,
 * R-accounts-37).
 */
export async function deleteUser(
  deps: Deps,
  actor: UserActor,
  { userType, id }: EndpointInput<typeof deleteUserCall>['params'],
  currentPassword?: string,
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
        await evidenceStore.recordEvent(tx, {
          dealId: deal.id,
          actor: move.by,
          actorId: actor.id,
          event: { event: 'withdrawn' },
        })
      }
      await publishCarChange(tx, car)
    }
    await forgetCars(tx, actor.id)
    await forgetMessages(tx, actor.id)
    await withdrawTrades(tx, actor.id)
    if (actor.userType === 'WHOLESALER') await withdrawOffers(tx, actor)
    await erasePerson(deps, tx, actor.id)
  })
  deps.log.info({ event: 'account deleted', user: actor.id }, 'account')
}

/**
 * Starts a deal with the seller of the VIN given at registration. An unknown VIN changes nothing
 * (R-accounts-7). Returns the car that the verification email links to.
 */
export async function startDealOnRegistration(
  tx: Db,
  user: { id: string },
  vin: string,
): Promise<{ vin: string; userId: string | null }> {
  const [open] = await store.lockLiveCarByVin(tx, { vin })
  if (!open) return { vin, userId: null }
  const { id: carId, sellerId } = open.car
  const id = newId()
  await store.insertDeal(tx, { id, carId, sellerId, buyerId: user.id })
  await evidenceStore.recordEvent(tx, {
    dealId: id,
    actor: 'BUYER',
    actorId: user.id,
    event: { event: 'started' },
  })
  return { vin, userId: sellerId }
}

/**
 * Settles every ended hold, one car per transaction. Scheduled, so that both parties are notified
 * without a request.
 */
async function settleDueHolds(deps: Deps): Promise<void> {
  const due = await store.findCarsDue(deps.db, { limit: 100 })
  for (const { carId } of due)
    await transaction(deps.db, async (tx) => {
      const [found] = await store.lockCar(tx, { id: carId })
      if (found) await settleHolds(deps, tx, found.car)
    })
}

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
    await tradeStore.uncheckTrade(tx, { tradeId, ownerId: actor.id })
  }

async function detachFromRequest(deps: Deps, tx: Db, tradeId: string, actor: UserActor): Promise<void> {
  const [found] = await tradeStore.findDealOfTrade(tx, { tradeId })
  if (!found) return
  const { car } = await openCar(deps, tx, found.carId)
  const view = await openDealOf(tx, car, actor.id)
  if (view?.deal.id !== found.dealId) return
  if (isReserved(view.deal.status)) throw dealErrors.DealInProgress()
  const inRequest = await tradeStore.findTradesOfDeal(tx, { dealId: view.deal.id })
  const removed = inRequest.find((trade) => trade._id === tradeId)
  await tradeStore.detachTrade(tx, { tradeId })
  await store.saveDeal(tx, view.deal.id, store.newDealTerms)
  if (removed)
    await evidenceStore.recordEvent(tx, {
      dealId: view.deal.id,
      actor: 'BUYER',
      actorId: actor.id,
      event: { event: 'tradeRemoved', trade: removed },
    })
  await notifyTradeRemoved(deps, tx, view)
  await publishCarChange(tx, car)
}

export const dealJobs = (deps: Deps): Tasks => ({
  [settleHoldsJob]: {
    places: 2,
    run: async () => {
      await settleDueHolds(deps)
      return undefined
    },
  },
  [remindOfHoldJob]: remindOfHold(deps),
  [keepAgreementJob]: storeAgreementPdf(deps),
  [deliverJob]: deliverTask(deps),
  ...dealReminders(deps),
})
