import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { updatePrice as priceCall } from '@keyturn/contract/deals/endpoints.ts'
import { isPending, isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { Origin } from '../../../platform/http/origin.ts'
import { readSellerCar, requireSeenVersion } from '../../cars/edit-car.ts'
import { wholeCar } from '../../cars/mappers.ts'
import * as carStore from '../../cars/repository.ts'
import type { CarRow } from '../../cars/tables.ts'
import { publishChange } from '../../notifications/actions.ts'
import { recordDealEvent } from '../event-repository.ts'
import { requireNoConfirmedBuyer } from '../listing-hooks.ts'
import { notifyRepriced, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { settleHolds } from './hold.ts'

/**
 * Sets the asking price and the price of every pending request, which voids all signatures on the
 * car (R-deals-25). A price equal to all of them changes nothing.
 */
export async function updatePrice(
  deps: Deps,
  by: Origin,
  carId: string,
  { newPrice: price, sellerId, version }: EndpointInput<typeof priceCall>['body'],
): Promise<Car> {
  if (sellerId && sellerId !== by.actorId) throw apiErrors.NotFound()
  return transaction(deps, async (tx) => {
    const car = await lockOwnCar(tx, by, carId)
    if (version !== undefined && version !== car.version) await requireSeenVersion(tx, car, version)
    if (car.priceCents === price && (await isPriceEverywhere(tx, car, price))) {
      return requireSeenVersion(tx, car, version)
    }
    const change = { carId, priceCents: price, seen: version ?? Number.MAX_SAFE_INTEGER }
    let [priced] = await carStore.setPrice(tx, change)
    if (!priced) {
      await settleHolds(deps, tx, car)
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
    if (pending === 0) return wholeCar({ ...car, ...priced })
    return readSellerCar(tx, car.id)
  })
}

async function isPriceEverywhere(tx: Db, car: CarRow, price: Cents): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId: car.id })
  return all.every(
    (deal) => !isReserved(deal.status) && (!isPending(deal.status) || deal.priceCents === price),
  )
}

async function repriceRequests(deps: Deps, tx: Db, by: Origin, car: CarRow, price: Cents): Promise<void> {
  const before = await store.findDealsOfCar(tx, { carId: car.id })
  const moved = (await store.repricePending(tx, { carId: car.id, priceCents: price })).map((deal) => {
    const was = before.find(({ id }) => id === deal.id)?.priceCents ?? null
    return { ...deal, from: was === null ? null : cents(was) }
  })
  for (const { id, from } of moved)
    await recordDealEvent(tx, id, 'SELLER', by, { event: 'priceChanged', from, to: price })
  await notifyRepriced(deps, tx, car, moved, price)
}

/**
 * Locks the seller's own listing. Returns the same 404 for someone else's car and for a missing
 * one.
 */
async function lockOwnCar(tx: Db, by: Origin, carId: string): Promise<CarRow> {
  const [open] = await carStore.lockCar(tx, { id: carId })
  if (open?.car.sellerId !== by.actorId) throw apiErrors.NotFound()
  return open.car
}
