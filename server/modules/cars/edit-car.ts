import {
  type Car,
  type describeCar as describeCall,
  type editCar as editCall,
  car as wireCar,
} from '@keyturn/contract/cars/endpoints.ts'
import { termFields } from '@keyturn/contract/cars/rules.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { ChangeContext } from '../../platform/http/change-context.ts'
import { requireFreshVersion } from '../../platform/http/require-fresh-version.ts'
import type { ListingDeps } from './listing-hooks.ts'
import { toLoan, toSellerCar } from './mappers.ts'
import * as store from './repository.ts'
import { requireFittingYear } from './require-fitting-year.ts'
import { findSellerCar } from './seller-car-repository.ts'
import type { CarRow } from './tables.ts'

/** Edits a listing. A changed term voids signatures (R-deals-33). */
export async function editCar(
  deps: ListingDeps,
  by: ChangeContext,
  form: EndpointInput<typeof editCall>['body'],
): Promise<Car> {
  if (form.year !== undefined) requireFittingYear(form.year)
  return transaction(deps, async (tx) => {
    const [open] = await store.lockListing(tx, { sellerId: by.actorId, vin: form.vin })
    if (!open) throw apiErrors.NotFound()
    const { car } = open
    await deps.hooks.lapseEndedHolds(deps, tx, car)
    const shown = await requireSeenVersion(tx, car, form.version)
    await deps.hooks.requireNoConfirmedBuyer(tx, car)
    const {
      vin: _,
      version: __,
      ...edit
    } = { ...form, ...((form.payoff ?? shown.payoff) ? {} : store.noLoan) }
    const { carModel, ...columns } = edit
    const changesTerms = termFields.some((field) => edit[field] !== undefined && edit[field] !== shown[field])
    await store.saveCar(tx, car.id, {
      ...definedOnly({ ...columns, model: carModel }),
      ...(changesTerms ? store.nextCarTerms : {}),
    })
    if (changesTerms) {
      const [changed] = await findSellerCar(tx, { id: car.id })
      await deps.hooks.recordNewTerms(deps, tx, by, car, changed?.car ?? car)
    } else if (edit.zipCode !== undefined && edit.zipCode !== car.zipCode) {
      // The sheet's date names the car's zone: nobody signs another one than they have read.
      await deps.hooks.raiseDealVersions(tx, car)
    }
    await deps.hooks.publishCarChange(tx, car)
    return readSellerCar(tx, car.id)
  })
}

type Description = EndpointInput<typeof describeCall>['body']

/** Edits the seller's free-text description, which is not part of the signed terms (R-cars-30). */
export const describeCar = (
  deps: ListingDeps,
  by: ChangeContext,
  carId: string,
  { version, ...texts }: Description,
) =>
  transaction(deps, async (tx): Promise<Car> => {
    const car = await lockOwnedCar(deps, tx, by, carId)
    await requireSeenVersion(tx, car, version)
    await store.saveCar(tx, car.id, texts)
    await deps.hooks.publishCarChange(tx, car)
    return readSellerCar(tx, car.id)
  })

/** Throws `NotFound` for another seller's car and for a missing one alike. */
export async function readOwnedCar(db: Db, by: ChangeContext, carId: string): Promise<CarRow> {
  const [found] = await findSellerCar(db, { id: carId })
  if (found?.car.sellerId !== by.actorId || found.car.deletedAt) throw apiErrors.NotFound()
  return found.car
}

/** Locks the caller's listing. Throws like `readOwnedCar` and `requireNoConfirmedBuyer`. */
export async function lockOwnedCar(
  deps: ListingDeps,
  tx: Db,
  by: ChangeContext,
  carId: string,
): Promise<CarRow> {
  await readOwnedCar(tx, by, carId)
  const [open] = await store.lockCar(tx, { id: carId })
  if (!open) throw apiErrors.NotFound()
  await deps.hooks.lapseEndedHolds(deps, tx, open.car)
  await deps.hooks.requireNoConfirmedBuyer(tx, open.car)
  return open.car
}

/** Requires the version of the listing that the seller read, which covers every request on it. */
export async function requireSeenVersion(tx: Db, car: CarRow, version: number | undefined): Promise<Car> {
  const shown = await readSellerCar(tx, car.id)
  requireFreshVersion(version, [shown.version], () => wireCar.encode(shown))
  return shown
}

export async function readSellerCar(db: Db, carId: string): Promise<Car> {
  const [row] = await findSellerCar(db, { id: carId })
  if (!row) throw apiErrors.NotFound()
  return { ...toSellerCar(row), ...toLoan(row.car) }
}

const definedOnly = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>
