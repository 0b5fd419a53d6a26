import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Cursor, cutPage, decodeCursor, type Page } from '../../platform/database/pagination.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { toSellerCar } from './mappers.ts'
import { findAllCars } from './seller-car-repository.ts'

/** Wholesalers do not see the cars of suspended sellers (R-accounts-63). */
export async function listAllCars(
  db: Db,
  { administrator }: Caller,
  page: Page,
): Promise<{ cars: Car[]; next: Cursor | null }> {
  const after = decodeCursor(page.cursor)
  const rows = await findAllCars(db, page.limit + 1, after, administrator !== null)
  const { shown, next } = cutPage(rows, page.limit, ({ at, car }) => ({ at, id: car.id }))
  return { cars: shown.map(toSellerCar), next }
}
