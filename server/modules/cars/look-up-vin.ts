import type { lookUpVin as lookUpVinCall } from '@keyturn/contract/cars/endpoints.ts'
import { carErrors } from '@keyturn/contract/cars/texts.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { isVinShape, normalizeVin } from '@keyturn/contract/shared/vin.ts'
import type { Deps } from '../../deps.ts'
import { splitTrims } from '../../integrations/vin-decoder/split-trims.ts'
import type { ScopedActor } from '../../platform/http/authorization.ts'
import { consumeLimit, throttleLimits } from '../../platform/rate-limits/throttles.ts'
import * as store from './repository.ts'

/**
 * Decodes a VIN from the stored answers, otherwise by the slow lookup, outside of any lock. The
 * lookup is rate-limited per person, because one worker serves everybody. Throws `InvalidVin`.
 */
export async function lookUpVin(
  deps: Deps,
  actor: ScopedActor,
  given: string,
): Promise<EndpointOutput<typeof lookUpVinCall>> {
  const vin = normalizeVin(given)
  if (!isVinShape(vin)) throw carErrors.InvalidVin()
  const [known] = await store.findVinAnswer(deps.db, { vin })
  const answer = known ?? (await decodeVin(deps, actor, vin))
  if (!answer.make || !answer.model || !answer.year) throw carErrors.InvalidVin()
  const [trim = '', ...others] = splitTrims(answer.trim ?? '')
  const car = { vin, make: answer.make, carModel: answer.model, year: answer.year }
  return others.length === 0 ? { ...car, trim, trims: [] } : { ...car, trim: '', trims: [trim, ...others] }
}

async function decodeVin(deps: Deps, actor: ScopedActor, vin: string) {
  await consumeLimit(deps, throttleLimits.lookUpVin, actor.id)
  const answer = (await deps.vins.decode(vin, actor.id)) ?? { ...unknownCar, vin }
  await store.insertVinAnswer(deps.db, answer)
  return answer
}

const unknownCar = { make: null, model: null, year: null, trim: null, bodyClass: null }
