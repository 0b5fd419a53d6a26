import type { PublicCar, readPublicCar as publicCarCall } from '@keyturn/contract/cars/endpoints.ts'
import { carErrors } from '@keyturn/contract/cars/texts.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { toPublicCar } from './mappers.ts'
import * as store from './repository.ts'
import type { PublicCarRow } from './tables.ts'

/**
 * Returns the public data of a car. Throws `NotFound` for a missing or another seller's car, and
 * `CarNotAvailable` for one whose seller is suspended (R-accounts-63).
 */
export async function readPublicCar(
  db: Db,
  sellerId: string,
  vin: string,
): Promise<EndpointOutput<typeof publicCarCall>> {
  const [row] = await store.findPublicCar(db, { sellerId, vin })
  if (!row) throw apiErrors.NotFound()
  if (row.isHidden) throw carErrors.CarNotAvailable()
  return { user: row.seller, car: toSharedCar(row) }
}

export const toSharedCar = ({ car, accepted }: { car: PublicCarRow; accepted: boolean }): PublicCar => ({
  ...toPublicCar(car),
  status: accepted ? 'ACCEPTED' : 'PENDING',
})
