import type {
  addCar as addCarCall,
  Car,
  CarDetails,
  lookUpVin as lookUpVinCall,
  publicCarPage,
} from '@keyturn/contract/cars/endpoints.ts'
import { bodyTypeOf, yearFits } from '@keyturn/contract/cars/rules.ts'
import { carErrors } from '@keyturn/contract/cars/texts.ts'
import type { EndpointInput, EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { isVinShape, normalizeVin } from '@keyturn/contract/shared/vin.ts'
import type { Deps } from '../../deps.ts'
import { trimsOf } from '../../integrations/vin-decoder/vin-trim.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Db, transaction, violatedConstraint } from '../../platform/database/open.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import { consumeLimit, limits } from '../../platform/rate-limits/throttles.ts'
import { requirePerson } from '../accounts/actions.ts'
import { publishChange } from '../notifications/actions.ts'
import * as store from './repository.ts'
import type { CarRow, PublicCarRow } from './tables.ts'

export { carPictures, deleteOldUnknownVins, keepVinAnswer } from './repository.ts'

/** Lists a car for the caller. Throws `VinAlreadyListed`: a VIN has at most one live listing. */
export async function addCar(
  deps: Deps,
  actor: UserActor,
  form: EndpointInput<typeof addCarCall>['body'],
): Promise<Car> {
  const { sellerId, carModel, zipCode, price, ...facts } = form
  if (sellerId && sellerId !== actor.id) throw apiErrors.NotFound()
  requireFittingYear(form.year)
  try {
    return await transaction(deps, async (tx) => {
      await requirePerson(tx, actor.id)
      const row = await store.insertCar(tx, {
        ...facts,
        id: newId(),
        sellerId: actor.id,
        model: carModel,
        zipCode: zipCode || null,
        priceCents: price,
      })
      await publishChange(tx, [actor.id], 'cars')
      return wholeCar(row)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'one_live_listing_per_vin') throw carErrors.VinAlreadyListed()
    throw error
  }
}

/** Erases this module's data of a deleted account; the listings have been removed before. */
export async function forgetCars(tx: Db, sellerId: string): Promise<void> {
  await store.eraseWords(tx, { sellerId })
}

/** A listing's state for its buyers; without one it is for sale. */
export type Standing = Partial<
  Pick<
    Car,
    'buyerId' | 'status' | 'price' | 'message' | 'taken' | 'soldElsewhere' | 'version' | 'requestVersion'
  >
>

/** A car as a party to it sees it (R-cars-16). */
export const wholeCar = (row: CarRow, standing: Standing = {}): Car => ({
  ...shownCar(row),
  buyerId: null,
  status: row.completedAt ? 'COMPLETED' : 'PENDING',
  message: row.message,
  taken: false,
  requestVersion: null,
  ...standing,
})

export const carFactsOf = (row: PublicCarRow) => ({
  make: row.make,
  carModel: row.model,
  year: row.year,
  trim: row.trim,
  mileage: row.mileage,
  color: row.color,
  payoff: row.payoff,
})

export const carDetailsOf = (row: PublicCarRow): CarDetails => ({
  ...carFactsOf(row),
  bodyType: bodyTypeOf(row.bodyClass),
  photos: row.photos,
  description: row.description,
  condition: row.condition,
  owners: row.owners,
  titleHolder: row.titleHolder,
})

const shownCar = (row: PublicCarRow) => ({
  _id: row.id,
  sellerId: row.sellerId,
  vin: row.vin,
  ...carDetailsOf(row),
  price: row.priceCents === null ? null : cents(row.priceCents),
  zipCode: row.zipCode,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
})

export function requireFittingYear(year: number): void {
  if (yearFits(year, new Date().getFullYear())) return
  throw apiErrors.ValidationError({
    message: fieldTexts.year,
    fields: [{ path: 'year', message: fieldTexts.year }],
  })
}

/**
 * Returns what anyone with the link sees; a missing car and another seller's car give the same 404.
 */
export async function publicCar(
  db: Db,
  sellerId: string,
  vin: string,
): Promise<EndpointOutput<typeof publicCarPage>> {
  const [row] = await store.findPublicCar(db, { sellerId, vin })
  if (!row) throw apiErrors.NotFound()
  return { user: row.seller, car: { ...shownCar(row.car), status: row.accepted ? 'ACCEPTED' : 'PENDING' } }
}

/**
 * Decodes a VIN from the stored answers, or else by the slow lookup, outside of any lock. The
 * lookup is rate-limited per person, because one worker serves all. Throws `InvalidVin`.
 */
export async function lookUpVin(
  deps: Deps,
  actor: UserActor,
  given: string,
): Promise<EndpointOutput<typeof lookUpVinCall>> {
  const vin = normalizeVin(given)
  if (!isVinShape(vin)) throw carErrors.InvalidVin()
  const [known] = await store.findVinAnswer(deps.db, { vin })
  const answer = known ?? (await decode(deps, actor, vin))
  if (!answer.make || !answer.model || !answer.year) throw carErrors.InvalidVin()
  const [trim = '', ...others] = trimsOf(answer.trim ?? '')
  const car = { vin, make: answer.make, carModel: answer.model, year: answer.year }
  return others.length === 0 ? { ...car, trim, trims: [] } : { ...car, trim: '', trims: [trim, ...others] }
}

async function decode(deps: Deps, actor: UserActor, vin: string) {
  await consumeLimit(deps, limits.lookUpVin, actor.id)
  const answer = (await deps.vins.decode(vin, actor.id)) ?? { ...unknownCar, vin }
  await store.keepVinAnswer(deps.db, answer)
  return answer
}

const unknownCar = { make: null, model: null, year: null, trim: null, bodyClass: null }

export { findListing, findLiveListing } from './repository.ts'
