import type { addCar as addCarCall, Car } from '@keyturn/contract/cars/endpoints.ts'
import { carErrors } from '@keyturn/contract/cars/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../deps.ts'
import { newOwnedId } from '../../platform/database/new-id.ts'
import { transaction, violatedConstraint } from '../../platform/database/open-database.ts'
import type { ScopedActor } from '../../platform/http/authorization.ts'
import { lockExistingPerson } from '../accounts/people/lock-person.ts'
import { publishChange } from '../notifications/events/publish-change.ts'
import { toCar, toLoan } from './mappers.ts'
import * as store from './repository.ts'
import { noLoan } from './repository.ts'
import { requireFittingYear } from './require-fitting-year.ts'

/** Lists a car for the caller. Throws `VinAlreadyListed`: a VIN has at most one live listing. */
export async function addCar(
  deps: Deps,
  actor: ScopedActor,
  form: EndpointInput<typeof addCarCall>['body'],
): Promise<Car> {
  const { sellerId, carModel, zipCode, price, ...facts } = form
  if (sellerId && sellerId !== actor.id) throw apiErrors.NotFound()
  requireFittingYear(form.year)
  try {
    return await transaction(deps, async (tx) => {
      await lockExistingPerson(tx, actor.id)
      const row = await store.insertCar(tx, {
        ...facts,
        ...(facts.payoff ? {} : noLoan),
        id: newOwnedId(actor.id),
        sellerId: actor.id,
        model: carModel,
        zipCode: zipCode || null,
        priceCents: price,
      })
      await publishChange(tx, [actor.id], 'cars')
      return { ...toCar(row), ...toLoan(row) }
    })
  } catch (error) {
    if (violatedConstraint(error) === 'one_live_listing_per_vin') throw carErrors.VinAlreadyListed()
    throw error
  }
}
