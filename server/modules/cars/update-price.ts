import type { Car, updatePrice as priceCall } from '@keyturn/contract/cars/endpoints.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { transaction } from '../../platform/database/open-database.ts'
import type { ChangeContext } from '../../platform/http/change-context.ts'
import { publishChange } from '../notifications/events/publish-change.ts'
import { readSellerCar, requireSeenVersion } from './edit-car.ts'
import type { ListingDeps } from './listing-hooks.ts'
import { toCar } from './mappers.ts'
import * as store from './repository.ts'

/** Sets the asking price, which is no term of any agreement (R-deals-25). */
export async function updatePrice(
  deps: ListingDeps,
  by: ChangeContext,
  carId: string,
  { newPrice: price, sellerId, version }: EndpointInput<typeof priceCall>['body'],
): Promise<Car> {
  if (sellerId && sellerId !== by.actorId) throw apiErrors.NotFound()
  return transaction(deps, async (tx) => {
    const [open] = await store.lockCar(tx, { id: carId })
    if (open?.car.sellerId !== by.actorId) throw apiErrors.NotFound()
    const { car } = open
    if (version !== undefined && version !== car.version) await requireSeenVersion(tx, car, version)
    const change = { carId, priceCents: price, seen: version ?? Number.MAX_SAFE_INTEGER }
    let [priced] = car.priceCents === price ? [] : await store.setPrice(tx, change)
    if (!priced) {
      await deps.hooks.lapseEndedHolds(deps, tx, car)
      await deps.hooks.requireNoConfirmedBuyer(tx, car)
      const shown = await requireSeenVersion(tx, car, version)
      if (car.priceCents === price) return shown
      ;[priced] = await store.setPrice(tx, change)
    }
    if (!priced) throw apiErrors.StaleVersion()
    const [requests, deals] = priced.buyers
    if (requests > 0) await deps.hooks.recordAskingPrice(deps, tx, by, car, price)
    await (deals > 0
      ? deps.hooks.publishCarChange(tx, car)
      : publishChange(tx, [by.actorId], 'cars', 'deals'))
    return requests === 0 ? toCar({ ...car, ...priced }) : readSellerCar(tx, car.id)
  })
}
