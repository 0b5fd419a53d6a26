import type { publicCarPage } from '@keyturn/contract/cars/endpoints.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { shownCar } from './mappers.ts'
import * as store from './repository.ts'

/**
 * Returns what anyone with the link sees; a missing car and another seller's car give the same 404.
 */
export async function readPublicCar(
  db: Db,
  sellerId: string,
  vin: string,
): Promise<EndpointOutput<typeof publicCarPage>> {
  const [row] = await store.findPublicCar(db, { sellerId, vin })
  if (!row) throw apiErrors.NotFound()
  return { user: row.seller, car: { ...shownCar(row.car), status: row.accepted ? 'ACCEPTED' : 'PENDING' } }
}
