import { type Car, car as wireCar } from '@keyturn/contract/cars/endpoints.ts'
import { termFields } from '@keyturn/contract/cars/rules.ts'
import type { describeCar as describeCall, editCar as editCall } from '@keyturn/contract/deals/endpoints.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open.ts'
import { requireFreshVersion } from '../../../platform/http/fresh-version.ts'
import type { Origin } from '../../../platform/http/origin.ts'
import { requireFittingYear } from '../../cars/actions.ts'
import type { CarRow } from '../../cars/tables.ts'
import { recordDealEvent } from '../event-repository.ts'
import { openCar, openListing } from '../lock-deal.ts'
import { carOfSeller } from '../mappers.ts'
import { notifyTermsChanged, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import * as carStore from './car-repository.ts'
import { findSellerCar } from './car-views.ts'

/** Edits a listing. A changed term voids signatures (R-deals-33). */
export async function editCar(
  deps: Deps,
  by: Origin,
  form: EndpointInput<typeof editCall>['body'],
): Promise<Car> {
  if (form.year !== undefined) requireFittingYear(form.year)
  return transaction(deps, async (tx) => {
    const { car } = await openListing(deps, tx, by.actorId, form.vin)
    const shown = await requireSeenVersion(tx, car, form.version)
    if (await hasAcceptedBuyer(tx, car.id)) throw await dealInProgressError(tx, car)
    const { vin: _, version: __, carModel, ...said } = form
    const changesTerms = termFields.some((field) => form[field] !== undefined && form[field] !== shown[field])
    await carStore.saveCar(tx, car.id, {
      ...definedOnly({ ...said, model: carModel }),
      ...(changesTerms ? carStore.newCarTerms : {}),
    })
    // Raises all versions, so that a signature sent with a version read before this change is
    // rejected.
    if (changesTerms) await store.raiseVersions(tx, { carId: car.id })
    if (changesTerms) await tellOfNewTerms(deps, tx, by, car)
    await publishCarChange(tx, car)
    return readSellerCar(tx, car.id)
  })
}

type Words = EndpointInput<typeof describeCall>['body']

/** Edits the seller's free-text description, which is not part of the signed terms (R-cars-30). */
export const describeCar = (deps: Deps, by: Origin, carId: string, { version, ...words }: Words) =>
  transaction(deps, async (tx): Promise<Car> => {
    const car = await openOwnCar(deps, tx, by, carId)
    await requireSeenVersion(tx, car, version)
    await carStore.saveCar(tx, car.id, words)
    await publishCarChange(tx, car)
    return readSellerCar(tx, car.id)
  })

async function tellOfNewTerms(deps: Deps, tx: Db, by: Origin, car: CarRow): Promise<void> {
  const [changed] = await findSellerCar(tx, { id: car.id })
  const event = { event: 'termsChanged', from: eventCar(car), to: eventCar(changed?.car ?? car) } as const
  for (const deal of await store.findDealsOfCar(tx, { carId: car.id }))
    if (deal.status !== 'STARTED') await recordDealEvent(tx, deal.id, 'SELLER', by, event)
  await notifyTermsChanged(deps, tx, car, event)
}

const eventCar = ({ year, make, model, mileage, payoff }: CarRow) => ({
  year,
  make,
  carModel: model,
  mileage,
  payoff,
})

/** Returns the same 404 for someone else's car and for a missing one. */
export async function readOwnCar(db: Db, by: Origin, carId: string): Promise<CarRow> {
  const [found] = await findSellerCar(db, { id: carId })
  if (found?.car.sellerId !== by.actorId || found.car.deletedAt) throw apiErrors.NotFound()
  return found.car
}

export async function openOwnCar(deps: Deps, tx: Db, by: Origin, carId: string): Promise<CarRow> {
  await readOwnCar(tx, by, carId)
  const { car } = await openCar(deps, tx, carId)
  if (await hasAcceptedBuyer(tx, car.id)) throw await dealInProgressError(tx, car)
  return car
}

export async function hasAcceptedBuyer(tx: Db, carId: string): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId })
  return all.some((deal) => isReserved(deal.status))
}

/** Returns the error for editing a car during the seller's own hold or a sale in progress. */
export async function dealInProgressError(tx: Db, car: CarRow) {
  const accepted = (await store.findDealsOfCar(tx, { carId: car.id })).find((deal) => isReserved(deal.status))
  return accepted?.exclusiveUntil && !accepted.passedAt
    ? dealErrors.ExclusivityActive()
    : dealErrors.DealInProgress()
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
  return carOfSeller(row)
}

const definedOnly = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>
