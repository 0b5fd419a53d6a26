import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { decideBuyer as decideCall } from '@keyturn/contract/deals/endpoints.ts'
import { isHeld } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import { requireFreshVersion } from '../../../platform/http/fresh-version.ts'
import type { Origin } from '../../../platform/http/origin.ts'
import { carOfSeller } from '../../cars/mappers.ts'
import { findSellerCar } from '../../cars/seller-car-repository.ts'
import type { DealView } from '../deal-view-repository.ts'
import { recordDealEvent } from '../event-repository.ts'
import { dealFacts, requestedTrades } from '../mappers.ts'
import { notifyConfirmed, notifyDenied, notifyReleased, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { movedTo } from '../repository.ts'
import * as tradeStore from '../trade-repository.ts'
import { currentOf, requireMove } from './deal-moves.ts'
import { type OpenCar, openDealOf, openIntendedDeal, openListing } from './lock-deal.ts'
import { isAcceptedElsewhere, reprice } from './request-car.ts'

/**
 * Confirms, denies or releases a buyer for the seller, or changes the price for the buyer
 * (R-deals-19).
 */
export async function decideBuyer(
  deps: Deps,
  by: Origin,
  form: EndpointInput<typeof decideCall>['body'],
): Promise<Car> {
  return transaction(deps, async (tx) => {
    const open = await openListing(deps, tx, form.userId, form.vin)
    if (form.status === 'PENDING') return reprice(deps, tx, by, open, form)
    if (open.car.sellerId !== by.actorId) {
      const own = await openDealOf(tx, open.car, by.actorId)
      throw own ? apiErrors.Forbidden() : apiErrors.NotFound()
    }
    const view = form.buyerId
      ? await openDealOf(tx, open.car, form.buyerId, by)
      : await openIntendedDeal(tx, open.car, by)
    if (!view || view.deal.status === 'STARTED') {
      if (form.buyerId) throw apiErrors.NotFound()
      throw dealErrors.InvalidTransition({ message: 'No buyer information available' })
    }
    const current = () => currentOf(view, deps, by.actorId)
    // The listing's version covers all requests on it; the request's version covers only the named
    // buyer.
    const [listing] = await findSellerCar(tx, { id: open.car.id })
    const seen = listing ? carOfSeller(listing).version : open.car.version
    requireFreshVersion(form.version, form.buyerId ? [view.deal.version, seen] : [seen], current)
    if (form.status === 'ACCEPTED') await confirm(deps, tx, by, open, view, form.price)
    else await deny(deps, tx, by, view, form.message ?? '')
    await publishCarChange(tx, open.car)
    const [row] = await findSellerCar(tx, { id: open.car.id })
    if (!row) throw apiErrors.NotFound()
    return carOfSeller(row)
  })
}

async function confirm(
  deps: Deps,
  tx: Db,
  by: Origin,
  { car }: OpenCar,
  view: DealView,
  price: Cents | undefined,
) {
  const current = () => currentOf(view, deps, by.actorId)
  if (await isAcceptedElsewhere(tx, car.id, view.deal.buyerId)) throw dealErrors.BuyerAlreadyConfirmed()
  const move = requireMove(view, 'SELLER', ['confirm'], current)
  if (price !== undefined && price !== view.deal.priceCents)
    throw dealErrors.PriceChanged({ current: current() })
  await store.saveDeal(tx, view.deal.id, {
    ...movedTo(move),
    acceptedAt: now,
    lapsedAt: null,
    activeStep: 6,
    reachedStep: 6,
    ...requestedTrades(view),
  })
  await store.raiseWaiting(tx, { carId: car.id })
  await recordDealEvent(tx, view.deal.id, move.by, by, {
    event: 'confirmed',
    price: cents(view.deal.priceCents ?? 0),
  })
  await notifyConfirmed(deps, tx, view)
}

async function deny(deps: Deps, tx: Db, by: Origin, view: DealView, message: string) {
  if (isHeld(dealFacts(view))) throw dealErrors.ExclusivityActive()
  const move = requireMove(view, 'SELLER', ['deny', 'release'], () => currentOf(view, deps, by.actorId))
  const isRelease = move.name === 'release'
  await tradeStore.freeTrades(tx, { dealId: view.deal.id })
  await store.saveDeal(tx, view.deal.id, {
    ...movedTo(move),
    sellerMessage: message,
    // After a denial, an expired hold no longer counts: the next offer starts afresh.
    lapsedAt: null,
    ...store.newDealTerms,
  })
  await recordDealEvent(tx, view.deal.id, move.by, by, { event: isRelease ? 'released' : 'denied', message })
  await (isRelease ? notifyReleased : notifyDenied)(deps, tx, view, message)
}
