import { type Car, car as wireCar } from '@keyturn/contract/cars/endpoints.ts'
import { termFields } from '@keyturn/contract/cars/rules.ts'
import type { describeCar as describeCall, editCar as editCall } from '@keyturn/contract/deals/endpoints.ts'
import { isTaken } from '@keyturn/contract/deals/rules.ts'
import { dealRefusals } from '@keyturn/contract/deals/texts.ts'
import type { Asked } from '@keyturn/contract/shared/endpoint.ts'
import { refuse } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open.ts'
import { requireFittingYear } from '../cars/actions.ts'
import type { CarRow } from '../cars/tables.ts'
import * as carStore from './car-store.ts'
import { findSellerCar } from './car-views.ts'
import { type Origin, openCar, openListing, record, refuseStale } from './open-deal.ts'
import * as store from './store.ts'
import { tellTermsChanged, touchCar } from './tell.ts'
import { carOfSeller } from './wire.ts'

/** Changes what the seller says of the car; a changed term voids signatures (R-deals-33). */
export async function editCar(deps: Deps, by: Origin, form: Asked<typeof editCall>['body']): Promise<Car> {
  if (form.year !== undefined) requireFittingYear(form.year)
  return transaction(deps, async (tx) => {
    const { car } = await openListing(deps, tx, by.actorId, form.vin)
    const shown = await refuseUnseen(tx, car, form.version)
    if (await hasAcceptedBuyer(tx, car.id)) throw await inProgress(tx, car)
    const { vin: _, version: __, carModel, ...said } = form
    const changesTerms = termFields.some((field) => form[field] !== undefined && form[field] !== shown[field])
    await carStore.saveCar(tx, car.id, {
      ...definedOnly({ ...said, model: carModel }),
      ...(changesTerms ? carStore.newCarTerms : {}),
    })
    // Everyone who read the old terms holds an old version now: a signature sent with that version is refused.
    if (changesTerms) await store.raiseVersions(tx, { carId: car.id })
    if (changesTerms) await tellOfNewTerms(deps, tx, by, car)
    await touchCar(tx, car)
    return sellerCar(tx, car.id)
  })
}

type Words = Asked<typeof describeCall>['body']

/** Changes what the seller says of the car in words of their own, which nobody signs (R-cars-30). */
export const describeCar = (deps: Deps, by: Origin, carId: string, { version, ...words }: Words) =>
  transaction(deps, async (tx): Promise<Car> => {
    const car = await openOwnCar(deps, tx, by, carId)
    await refuseUnseen(tx, car, version)
    await carStore.saveCar(tx, car.id, words)
    await touchCar(tx, car)
    return sellerCar(tx, car.id)
  })

async function tellOfNewTerms(deps: Deps, tx: Db, by: Origin, car: CarRow): Promise<void> {
  const [changed] = await findSellerCar(tx, { id: car.id })
  const event = { event: 'termsChanged', from: eventCar(car), to: eventCar(changed?.car ?? car) } as const
  for (const deal of await store.findDealsOfCar(tx, { carId: car.id }))
    if (deal.status !== 'STARTED') await record(tx, deal.id, 'SELLER', by, event)
  await tellTermsChanged(deps, tx, car, event)
}

const eventCar = ({ year, make, model, mileage, payoff }: CarRow) => ({
  year,
  make,
  carModel: model,
  mileage,
  payoff,
})

/** A stranger's and none are the same 404. */
export async function ownCar(db: Db, by: Origin, carId: string): Promise<CarRow> {
  const [found] = await findSellerCar(db, { id: carId })
  if (found?.car.sellerId !== by.actorId || found.car.deletedAt) throw refuse.NotFound()
  return found.car
}

export async function openOwnCar(deps: Deps, tx: Db, by: Origin, carId: string): Promise<CarRow> {
  await ownCar(tx, by, carId)
  const { car } = await openCar(deps, tx, carId)
  if (await hasAcceptedBuyer(tx, car.id)) throw await inProgress(tx, car)
  return car
}

export async function hasAcceptedBuyer(tx: Db, carId: string): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId })
  return all.some((deal) => isTaken(deal.status))
}

/** Why a seller cannot change a car now: their own hold runs, or a sale is in progress. */
export async function inProgress(tx: Db, car: CarRow) {
  const accepted = (await store.findDealsOfCar(tx, { carId: car.id })).find((deal) => isTaken(deal.status))
  return accepted?.exclusiveUntil && !accepted.passedAt
    ? dealRefusals.ExclusivityActive()
    : dealRefusals.DealInProgress()
}

/** A seller acts on a listing as they have read it, with every request on it. */
export async function refuseUnseen(tx: Db, car: CarRow, version: number | undefined): Promise<Car> {
  const shown = await sellerCar(tx, car.id)
  refuseStale(version, [shown.version], () => wireCar.encode(shown))
  return shown
}

export async function sellerCar(db: Db, carId: string): Promise<Car> {
  const [row] = await findSellerCar(db, { id: carId })
  if (!row) throw refuse.NotFound()
  return carOfSeller(row)
}

const definedOnly = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>
