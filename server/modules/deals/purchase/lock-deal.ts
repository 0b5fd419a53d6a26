import { intendedOf } from '@keyturn/contract/deals/rules.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { Origin } from '../../../platform/http/origin.ts'
import * as carStore from '../../cars/repository.ts'
import type { CarRow } from '../../cars/tables.ts'
import { type DealView, readDealView } from '../deal-view-repository.ts'
import * as store from '../repository.ts'
import { settleHolds } from './hold.ts'

export type OpenCar = { car: CarRow; now: Date }

/** Locks a seller's listing and settles an ended hold. Throws `NotFound`. */
export async function openListing(deps: Deps, tx: Db, sellerId: string, vin: string): Promise<OpenCar> {
  const [found] = await carStore.lockListing(tx, { sellerId, vin })
  if (!found) throw apiErrors.NotFound()
  await settleHolds(deps, tx, found.car)
  return found
}

export async function openCar(deps: Deps, tx: Db, carId: string): Promise<OpenCar> {
  const [found] = await carStore.lockCar(tx, { id: carId })
  if (!found) throw apiErrors.NotFound()
  await settleHolds(deps, tx, found.car)
  return found
}

/**
 * Locks a buyer's deal on a locked car and reads what the rules need; null when there is none. `by`
 * identifies the request in the log.
 */
export async function openDealOf(
  tx: Db,
  car: CarRow,
  buyerId: string,
  by?: Origin,
): Promise<DealView | null> {
  const [row] = await store.lockDealOf(tx, { carId: car.id, buyerId })
  if (row) by?.concerns?.(row.id)
  return row ? readDealView(tx, row.id) : null
}

export async function openIntendedDeal(tx: Db, car: CarRow, by: Origin): Promise<DealView | null> {
  const intended = intendedOf(await store.findDealsOfCar(tx, { carId: car.id }))
  return intended ? openDealOf(tx, car, intended.buyerId, by) : null
}
