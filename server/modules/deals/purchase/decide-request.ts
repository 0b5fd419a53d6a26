import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { decideRequest as decideCall } from '@keyturn/contract/deals/endpoints.ts'
import { isHeld } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { ChangeContext } from '../../../platform/http/change-context.ts'
import { requireFreshVersion } from '../../../platform/http/require-fresh-version.ts'
import { toSellerCar } from '../../cars/mappers.ts'
import { findSellerCar } from '../../cars/seller-car-repository.ts'
import type { DealView } from '../deal-view-repository.ts'
import { recordDealEvent } from '../event-repository.ts'
import { toDealFacts, toRequestedTrades } from '../mappers.ts'
import { notifyConfirmed, notifyDenied, notifyReleased, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { columnsAfterMove } from '../repository.ts'
import * as tradeStore from '../trade-repository.ts'
import { encodeProgress, requireMove } from './deal-moves.ts'
import { type LockedCar, lockDealOfBuyer, lockIntendedDeal, lockListing } from './lock-deal.ts'
import { hasOtherConfirmedBuyer, repriceRequest } from './request-car.ts'

/** Confirms, denies or releases a buyer, or changes the price for the buyer (R-deals-19). */
export async function decideRequest(
  deps: Deps,
  by: ChangeContext,
  form: EndpointInput<typeof decideCall>['body'],
): Promise<Car> {
  return transaction(deps, async (tx) => {
    const open = await lockListing(deps, tx, form.userId, form.vin)
    if (form.status === 'PENDING') return repriceRequest(deps, tx, by, open, form)
    if (open.car.sellerId !== by.actorId) {
      const own = await lockDealOfBuyer(tx, open.car, by.actorId)
      throw own ? apiErrors.Forbidden() : apiErrors.NotFound()
    }
    const view = form.buyerId
      ? await lockDealOfBuyer(tx, open.car, form.buyerId, by)
      : await lockIntendedDeal(tx, open.car, by)
    if (!view || view.deal.status === 'STARTED') {
      if (form.buyerId) throw apiErrors.NotFound()
      throw dealErrors.InvalidTransition({ message: 'No buyer information available' })
    }
    const current = () => encodeProgress(view, deps, by.actorId)
    // The listing's version covers all requests on it; the request's version covers only the named
    // buyer.
    const [listing] = await findSellerCar(tx, { id: open.car.id })
    const seen = listing ? toSellerCar(listing).version : open.car.version
    requireFreshVersion(form.version, form.buyerId ? [view.deal.version, seen] : [seen], current)
    if (form.status === 'ACCEPTED') await confirmBuyer(deps, tx, by, open, view, form.price)
    else await denyBuyer(deps, tx, by, view, form.message ?? '')
    await publishCarChange(tx, open.car)
    const [row] = await findSellerCar(tx, { id: open.car.id })
    if (!row) throw apiErrors.NotFound()
    return toSellerCar(row)
  })
}

async function confirmBuyer(
  deps: Deps,
  tx: Db,
  by: ChangeContext,
  { car }: LockedCar,
  view: DealView,
  price: Cents | undefined,
) {
  const current = () => encodeProgress(view, deps, by.actorId)
  if (await hasOtherConfirmedBuyer(tx, car.id, view.deal.buyerId)) throw dealErrors.BuyerAlreadyConfirmed()
  const move = requireMove(view, 'SELLER', ['confirm'], current)
  if (price !== undefined && price !== view.deal.priceCents)
    throw dealErrors.PriceChanged({ current: current() })
  await store.saveDeal(tx, view.deal.id, {
    ...columnsAfterMove(move),
    acceptedAt: now,
    lapsedAt: null,
    activeStep: 6,
    reachedStep: 6,
    ...toRequestedTrades(view),
  })
  await store.raiseWaitingDealVersions(tx, { carId: car.id })
  await recordDealEvent(tx, view.deal.id, move.by, by, {
    event: 'confirmed',
    price: cents(view.deal.priceCents ?? 0),
  })
  await notifyConfirmed(deps, tx, view)
}

async function denyBuyer(deps: Deps, tx: Db, by: ChangeContext, view: DealView, message: string) {
  if (isHeld(toDealFacts(view))) throw dealErrors.ExclusivityActive()
  const move = requireMove(view, 'SELLER', ['deny', 'release'], () => encodeProgress(view, deps, by.actorId))
  const isRelease = move.name === 'release'
  await tradeStore.deleteDealTrades(tx, { dealId: view.deal.id })
  await store.saveDeal(tx, view.deal.id, {
    ...columnsAfterMove(move),
    sellerMessage: message,
    // After a denial, an expired hold no longer counts: the next offer starts afresh.
    lapsedAt: null,
    ...store.termsVersionBump,
  })
  await recordDealEvent(tx, view.deal.id, move.by, by, { event: isRelease ? 'released' : 'denied', message })
  await (isRelease ? notifyReleased : notifyDenied)(deps, tx, view, message)
}
