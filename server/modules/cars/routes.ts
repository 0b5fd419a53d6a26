import * as calls from '@keyturn/contract/cars/endpoints.ts'
import type { Answer } from '@keyturn/contract/shared/endpoint.ts'
import type { Deps } from '../../deps.ts'
import type { Asker } from '../../platform/http/authorization.ts'
import { answer, type Door } from '../../platform/http/register-endpoint.ts'
import { addCar, lookUpVin, publicCar } from './actions.ts'
import { openFlyers } from './flyer/flyers.ts'
import { printFlyer } from './flyer/print-flyer.ts'

/** The shared car as its deals make it look to whoever asks: known to the room above, handed down by `app.ts`. */
export type CarFor = (
  deps: Deps,
  asker: Asker,
  sellerId: string,
  vin: string,
) => Promise<Answer<typeof calls.sellersCar>>

/** Calls that cars alone decide. What depends on buyers too is answered by the deals room. */
export function registerCars(door: Door, deps: Deps, { carFor }: { carFor: CarFor }): void {
  answer(door, calls.publicCarPage, ({ params }) => publicCar(deps.db, params.userId, params.vin))
  answer(door, calls.sellersCar, ({ actor, params }) => carFor(deps, actor, params.userId, params.vin))
  answer(door, calls.addCar, ({ actor, body, intent }) => addCar({ ...deps, intent }, actor, body))
  const flyers = openFlyers({ onFault: (fault) => deps.log.error({ err: fault }, 'flyer') })
  door.app.addHook('onClose', () => flyers.close())
  answer(door, calls.carFlyer, async ({ actor, params, query, reply }) => {
    const { name, bytes } = await printFlyer(deps, flyers, actor, { ...params, ...query })
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
  answer(door, calls.lookUpVin, ({ actor, params }) => lookUpVin(deps, actor, params.vin))
  answer(door, calls.warmVin, () => {
    deps.vins.warm()
    return { ok: true } as const
  })
}
