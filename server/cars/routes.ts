import * as calls from '@keyturn/contract/cars/calls.ts'
import type { Deps } from '../deps.ts'
import { answer, type Door } from '../http/answer.ts'
import { addCar, lookUpVin, publicCar } from './actions.ts'

/** Calls that cars alone decide. What depends on buyers too is answered by the deals room. */
export function registerCars(door: Door, deps: Deps): void {
  answer(door, calls.publicCarPage, ({ params }) => publicCar(deps.db, params.userId, params.vin))
  answer(door, calls.addCar, ({ actor, body, intent }) => addCar({ ...deps, intent }, actor, body))
  answer(door, calls.lookUpVin, ({ actor, params }) => lookUpVin(deps, actor, params.vin))
  answer(door, calls.warmVin, () => {
    deps.vins.warm()
    return { ok: true } as const
  })
}
