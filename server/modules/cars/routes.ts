import * as calls from '@keyturn/contract/cars/endpoints.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { addCar, lookUpVin, publicCar } from './actions.ts'
import { openFlyers } from './flyer/flyers.ts'
import { printFlyer } from './flyer/print-flyer.ts'

/**
 * The shared car as the caller sees it with its deals; from the deals module, injected by `app.ts`.
 */
export type CarFor = (
  deps: Deps,
  caller: Caller,
  sellerId: string,
  vin: string,
) => Promise<EndpointOutput<typeof calls.sellersCar>>

/**
 * Registers endpoints that need only cars; the deals module has those that also depend on buyers.
 */
export function registerCars(http: HttpContext, deps: Deps, { carFor }: { carFor: CarFor }): void {
  registerEndpoint(http, calls.publicCarPage, ({ params }) => publicCar(deps.db, params.userId, params.vin))
  registerEndpoint(http, calls.sellersCar, ({ actor, params }) =>
    carFor(deps, actor, params.userId, params.vin),
  )
  registerEndpoint(http, calls.addCar, ({ actor, body, intent }) => addCar({ ...deps, intent }, actor, body))
  const flyers = openFlyers({ onFault: (fault) => deps.log.error({ err: fault }, 'flyer') })
  http.app.addHook('onClose', () => flyers.close())
  registerEndpoint(http, calls.carFlyer, async ({ actor, params, query, reply }) => {
    const { name, bytes } = await printFlyer(deps, flyers, actor, { ...params, ...query })
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
  registerEndpoint(http, calls.lookUpVin, ({ actor, params }) => lookUpVin(deps, actor, params.vin))
  registerEndpoint(http, calls.warmVin, () => {
    deps.vins.warm()
    return { ok: true } as const
  })
}
