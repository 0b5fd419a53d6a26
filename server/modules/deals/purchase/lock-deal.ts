import { findIntendedDeal } from '@keyturn/contract/deals/rules.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { Origin } from '../../../platform/http/origin.ts'
import * as carStore from '../../cars/repository.ts'
import type { CarRow } from '../../cars/tables.ts'
import { type DealView, readDealView } from '../deal-view-repository.ts'
import * as store from '../repository.ts'
import { lapseEndedHolds } from './hold.ts'

export type LockedCar = { car: CarRow; now: Date }

/** Locks a seller's listing and lapses its ended hold. Throws `NotFound`. */
export async function lockListing(deps: Deps, tx: Db, sellerId: string, vin: string): Promise<LockedCar> {
  const [found] = await carStore.lockListing(tx, { sellerId, vin })
  if (!found) throw apiErrors.NotFound()
  await lapseEndedHolds(deps, tx, found.car)
  return found
}

export async function lockCar(deps: Deps, tx: Db, carId: string): Promise<LockedCar> {
  const [found] = await carStore.lockCar(tx, { id: carId })
  if (!found) throw apiErrors.NotFound()
  await lapseEndedHolds(deps, tx, found.car)
  return found
}

/**
 * Locks a buyer's deal on a locked car and reads what the rules need; null when there is none. `by`
 * identifies the request in the log.
 */
export async function lockDealOfBuyer(
  tx: Db,
  car: CarRow,
  buyerId: string,
  by?: Origin,
): Promise<DealView | null> {
  const [row] = await store.lockBuyerDeal(tx, { carId: car.id, buyerId })
  if (row) by?.concerns?.(row.id)
  return row ? readDealView(tx, row.id) : null
}

export async function lockIntendedDeal(tx: Db, car: CarRow, by: Origin): Promise<DealView | null> {
  const intended = findIntendedDeal(await store.findDealsOfCar(tx, { carId: car.id }))
  return intended ? lockDealOfBuyer(tx, car, intended.buyerId, by) : null
}
