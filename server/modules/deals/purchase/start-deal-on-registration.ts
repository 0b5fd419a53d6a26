import { newOwnedId } from '../../../platform/database/new-id.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { isSuspended } from '../../accounts/people/suspension.ts'
import * as carStore from '../../cars/repository.ts'
import { insertDealEvent } from '../event-repository.ts'
import * as store from '../repository.ts'

/**
 * Starts a deal with the seller of the VIN given at registration. An unknown VIN changes nothing
 * (R-accounts-7). Returns the car that the verification email links to.
 */
export async function startDealOnRegistration(
  tx: Db,
  user: { id: string },
  vin: string,
): Promise<{ vin: string; userId: string | null }> {
  const [open] = await carStore.lockLiveCarByVin(tx, { vin })
  if (!open || (await isSuspended(tx, open.car.sellerId))) return { vin, userId: null }
  const { id: carId, sellerId } = open.car
  const id = newOwnedId(carId)
  await store.insertDeal(tx, { id, carId, sellerId, buyerId: user.id })
  await insertDealEvent(tx, {
    dealId: id,
    actor: 'BUYER',
    actorId: user.id,
    event: { event: 'started' },
  })
  return { vin, userId: sellerId }
}
