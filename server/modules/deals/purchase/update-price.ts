import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { updatePrice as priceCall } from '@keyturn/contract/deals/endpoints.ts'
import { isPending, isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { ChangeContext } from '../../../platform/http/change-context.ts'
import { readSellerCar, requireSeenVersion } from '../../cars/edit-car.ts'
import { toCar } from '../../cars/mappers.ts'
import * as carStore from '../../cars/repository.ts'
import type { CarRow } from '../../cars/tables.ts'
import { publishChange } from '../../notifications/events/publish-change.ts'
import { recordDealEvent } from '../event-repository.ts'
import { requireNoConfirmedBuyer } from '../listing-hooks.ts'
import { notifyRepriced, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { lapseEndedHolds } from './hold.ts'

/**
 * Sets the asking price and the price of every pending request, which voids all signatures on the
 * car (R-deals-25). A price equal to all of them changes nothing.
 */
export async function updatePrice(
  deps: Deps,
  by: ChangeContext,
  carId: string,
  { newPrice: price, sellerId, version }: EndpointInput<typeof priceCall>['body'],
): Promise<Car> {
  if (sellerId && sellerId !== by.actorId) throw apiErrors.NotFound()
  return transaction(deps, async (tx) => {
    const car = await lockOwnedListing(tx, by, carId)
    if (version !== undefined && version !== car.version) await requireSeenVersion(tx, car, version)
    if (car.priceCents === price && (await isPriceEverywhere(tx, car, price))) {
      return requireSeenVersion(tx, car, version)
    }
    const change = { carId, priceCents: price, seen: version ?? Number.MAX_SAFE_INTEGER }
    let [priced] = await carStore.setPrice(tx, change)
    if (!priced) {
      await lapseEndedHolds(deps, tx, car)
      ;[priced] = await carStore.setPrice(tx, change)
    }
    if (!priced) {
      await requireNoConfirmedBuyer(tx, car)
      await requireSeenVersion(tx, car, version)
      throw dealErrors.DealInProgress()
    }
    const [pending, all] = priced.buyers
    if (pending > 0) await repriceRequests(deps, tx, by, car, price)
    await (all > 0 ? publishCarChange(tx, car) : publishChange(tx, [by.actorId], 'cars', 'deals'))
    if (pending === 0) return toCar({ ...car, ...priced })
    return readSellerCar(tx, car.id)
  })
}

async function isPriceEverywhere(tx: Db, car: CarRow, price: Cents): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId: car.id })
  return all.every(
    (deal) => !isReserved(deal.status) && (!isPending(deal.status) || deal.priceCents === price),
  )
}

async function repriceRequests(
  deps: Deps,
  tx: Db,
  by: ChangeContext,
  car: CarRow,
  price: Cents,
): Promise<void> {
  const before = await store.findDealsOfCar(tx, { carId: car.id })
  const repriced = (await store.repricePending(tx, { carId: car.id, priceCents: price })).map((deal) => {
    const was = before.find(({ id }) => id === deal.id)?.priceCents ?? null
    return { ...deal, from: was === null ? null : cents(was) }
  })
  for (const { id, from } of repriced)
    await recordDealEvent(tx, id, 'SELLER', by, { event: 'priceChanged', from, to: price })
  await notifyRepriced(deps, tx, car, repriced, price)
}

/** Locks the seller's listing. Throws `NotFound` for a missing or another seller's car. */
async function lockOwnedListing(tx: Db, by: ChangeContext, carId: string): Promise<CarRow> {
  const [open] = await carStore.lockCar(tx, { id: carId })
  if (open?.car.sellerId !== by.actorId) throw apiErrors.NotFound()
  return open.car
}
