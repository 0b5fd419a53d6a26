import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { type Cursor, cutPage, decodeCursor, type Page } from '../../platform/database/pagination.ts'
import { toSellerCar } from './mappers.ts'
import { findAllCars } from './seller-car-repository.ts'

export async function listAllCars(deps: Deps, page: Page): Promise<{ cars: Car[]; next: Cursor | null }> {
  const rows = await findAllCars(deps.db, page.limit + 1, decodeCursor(page.cursor))
  const { shown, next } = cutPage(rows, page.limit, ({ at, car }) => ({ at, id: car.id }))
  return { cars: shown.map(toSellerCar), next }
}
