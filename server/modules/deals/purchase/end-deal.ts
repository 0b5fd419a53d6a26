import type { deleteCar as deleteCall } from '@keyturn/contract/deals/endpoints.ts'
import { type DealParty, findDealMove, isPending } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import type { ChangeContext } from '../../../platform/http/change-context.ts'
import { requireFreshVersion } from '../../../platform/http/require-fresh-version.ts'
import { releasePictures } from '../../../platform/storage/picture-repository.ts'
import { recordAdminEvent } from '../../accounts/administrator/admin-events.ts'
import { closeClaims } from '../../cars/claims/claims.ts'
import { requireSeenVersion } from '../../cars/edit-car.ts'
import * as carStore from '../../cars/repository.ts'
import type { CarRow } from '../../cars/tables.ts'
import { notifyUsed } from '../../trades/notify.ts'
import { type DealView, findDealsOnCar } from '../deal-view-repository.ts'
import { insertDealEvent, type RecordedEvent, recordDealEvent } from '../event-repository.ts'
import { hasConfirmedBuyer, requireNoConfirmedBuyer } from '../listing-hooks.ts'
import { toDealFacts } from '../mappers.ts'
import {
  notifyCancelled,
  notifyCompleted,
  notifyListingRemoved,
  notifyWithdrawn,
  publishCarChange,
} from '../notify.ts'
import * as store from '../repository.ts'
import { columnsAfterMove } from '../repository.ts'
import * as tradeStore from '../trade-repository.ts'
import { encodeProgress, requireMove } from './deal-moves.ts'
import { lockCar, lockDealOfBuyer, lockListing } from './lock-deal.ts'

/**
 * Deletes the listing for the seller, or withdraws the buyer's deal and leaves the car listed
 * (R-deals-20, R-deals-27).
 */
export async function deleteCar(
  deps: Deps,
  by: ChangeContext,
  input: EndpointInput<typeof deleteCall>['params'] & { version?: number },
): Promise<void> {
  if (input.userId !== by.actorId) throw apiErrors.NotFound()
  if (input.userType === 'SELLER') await deleteListing(deps, by, input)
  else await withdrawRequest(deps, by, input)
}

type SeenListing = { vin: string; version?: number }

async function deleteListing(deps: Deps, by: ChangeContext, { vin, version }: SeenListing): Promise<void> {
  await transaction(deps, async (tx) => {
    const { car } = await lockListing(deps, tx, by.actorId, vin)
    await requireNoConfirmedBuyer(tx, car)
    await requireSeenVersion(tx, car, version)
    await takeDownListing(deps, tx, car, { actor: 'SELLER', reason: null })
  })
}

/** Removes a fraudulent listing for the administrator and stores the reason. */
export async function removeListing(
  deps: Deps,
  administrator: Administrator,
  carId: string,
  reason: string,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const { car } = await lockCar(deps, tx, carId)
    if (await hasConfirmedBuyer(tx, car.id)) throw dealErrors.DealInProgress()
    await takeDownListing(deps, tx, car, { actor: 'ADMIN', reason })
    await recordAdminEvent(tx, administrator, {
      act: 'removedListing',
      personId: car.sellerId,
      subject: carId,
      before: { isListed: true },
      after: { isListed: false, hasReason: reason !== '' },
    })
  })
  deps.log.warn({ carId, reason }, 'listing removed by the administrator')
}

export async function takeDownListing(
  deps: Deps,
  tx: Db,
  car: CarRow,
  by: { actor: 'SELLER' | 'ADMIN'; reason: string | null },
): Promise<void> {
  await notifyListingRemoved(deps, tx, car)
  await closeClaims(deps, tx, car.id)
  await publishCarChange(tx, car)
  await endOpenDeals(tx, car, {
    name: 'takeDown',
    by: by.actor,
    actorId: by.actor === 'SELLER' ? car.sellerId : null,
    event: { event: 'listingRemoved', reason: by.reason },
  })
  await carStore.saveCar(tx, car.id, { deletedAt: now, removedBecause: by.reason, photos: [] })
  await releasePictures(tx, car.photos)
}

type Ending = { name: 'takeDown' | 'sellElsewhere'; by: DealParty } & Pick<RecordedEvent, 'actorId' | 'event'>

/** Ends every deal on the car that allows the move. Callers send the notifications first. */
async function endOpenDeals(tx: Db, car: CarRow, { name, by, actorId, event }: Ending): Promise<void> {
  for (const view of await findDealsOnCar(tx, { carId: car.id })) {
    const move = findDealMove(toDealFacts(view), by, name)
    if (!move) continue
    const { id: dealId } = view.deal
    await tradeStore.deleteDealTrades(tx, { dealId })
    await store.saveDeal(tx, dealId, {
      ...columnsAfterMove(move),
      ...store.termsVersionBump,
      // A buyer denied earlier did not lose the car to another buyer; they still see the denial.
      soldElsewhere: move.name === 'sellElsewhere' && isPending(view.deal.status),
    })
    await insertDealEvent(tx, { dealId, actor: move.by, actorId, event })
  }
}

/** Completes a fully signed deal and ends every other request for the car. */
export async function completePassedDeal(
  deps: Deps,
  tx: Db,
  view: DealView,
  event: RecordedEvent & { actor: 'ADMIN' | 'DEALER' },
): Promise<void> {
  const { car, deal } = view
  // An administrator gets no `current`: rejecting the act undoes the record of who saw the contact data.
  const current = () => (event.actor === 'ADMIN' ? undefined : encodeProgress(view, deps, null))
  const move = requireMove(view, event.actor, ['complete'], current)
  await store.saveDeal(tx, deal.id, { ...columnsAfterMove(move), completedAt: now })
  await carStore.saveCar(tx, car.id, { completedAt: now })
  await insertDealEvent(tx, event)
  await notifyCompleted(deps, tx, view)
  await notifyUsed(deps, tx, deal.id)
  await publishCarChange(tx, car)
  await endOpenDeals(tx, car, {
    name: 'sellElsewhere',
    by: event.actor,
    actorId: null,
    event: { event: 'soldElsewhere' },
  })
}

/** Cancels a fully signed deal for its dealer and frees the car and its trades. */
export async function cancelPassedDeal(
  deps: Deps,
  tx: Db,
  view: DealView,
  event: RecordedEvent,
  reason: string,
): Promise<void> {
  const { car, deal } = view
  const move = requireMove(view, 'DEALER', ['cancel'], () => encodeProgress(view, deps, null))
  // Published before the deal ends, so that its buyer's open pages also get the event.
  await publishCarChange(tx, car)
  await tradeStore.deleteDealTrades(tx, { dealId: deal.id })
  await store.saveDeal(tx, deal.id, {
    ...columnsAfterMove(move),
    exclusiveUntil: null,
    ...store.termsVersionBump,
  })
  await insertDealEvent(tx, event)
  await notifyCancelled(deps, tx, view, reason)
}

async function withdrawRequest(deps: Deps, by: ChangeContext, { vin, version }: SeenListing): Promise<void> {
  await transaction(deps, async (tx) => {
    const [own] = await store.findCarOfOwnDeal(tx, { buyerId: by.actorId, vin })
    if (!own) throw apiErrors.NotFound()
    const { car } = await lockCar(deps, tx, own.carId)
    const view = await lockDealOfBuyer(tx, car, by.actorId, by)
    if (!view) throw apiErrors.NotFound()
    const move = findDealMove(toDealFacts(view), 'BUYER', 'withdraw')
    if (!move) throw dealErrors.DealInProgress()
    const current = () => encodeProgress(view, deps, by.actorId)
    requireFreshVersion(version, [view.deal.version, Math.max(car.version, view.deal.version)], current)
    // Published before the deal ends, so that its buyer's other open pages also get the event.
    await publishCarChange(tx, car)
    await tradeStore.deleteDealTrades(tx, { dealId: view.deal.id })
    await store.saveDeal(tx, view.deal.id, { ...columnsAfterMove(move), ...store.termsVersionBump })
    await recordDealEvent(tx, view.deal.id, move.by, by, { event: 'withdrawn' })
    if (view.deal.status !== 'STARTED') await notifyWithdrawn(deps, tx, view)
  })
}
