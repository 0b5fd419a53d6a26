import type { PublicCar, readPublicCar as publicCarCall } from '@keyturn/contract/cars/endpoints.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { toPublicCar } from './mappers.ts'
import * as store from './repository.ts'
import type { PublicCarRow } from './tables.ts'

/** Returns the public data of a car. Throws `NotFound` for a missing or another seller's car. */
export async function readPublicCar(
  db: Db,
  sellerId: string,
  vin: string,
): Promise<EndpointOutput<typeof publicCarCall>> {
  const [row] = await store.findPublicCar(db, { sellerId, vin })
  if (!row) throw apiErrors.NotFound()
  return { user: row.seller, car: toSharedCar(row) }
}

export const toSharedCar = ({ car, accepted }: { car: PublicCarRow; accepted: boolean }): PublicCar => ({
  ...toPublicCar(car),
  status: accepted ? 'ACCEPTED' : 'PENDING',
})
