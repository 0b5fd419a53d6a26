import * as claimCalls from '@keyturn/contract/cars/claims.ts'
import * as calls from '@keyturn/contract/cars/endpoints.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { toChangeContext } from '../../platform/http/change-context.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { setNextLink } from '../../platform/http/set-next-link.ts'
import { markPeopleShown } from '../accounts/administrator/admin-events.ts'
import { addCar } from './add-car.ts'
import * as photos from './car-photos.ts'
import * as claims from './claims/claims.ts'
import { describeCar, editCar } from './edit-car.ts'
import { createFlyerPrinter } from './flyer/flyer-printer.ts'
import { printFlyer } from './flyer/print-flyer.ts'
import { listAllCars } from './list-all-cars.ts'
import type { ListingHooks } from './listing-hooks.ts'
import { lookUpVin } from './look-up-vin.ts'
import { readPublicCar } from './read-public-car.ts'
import { updatePrice } from './update-price.ts'

/** The shared car with the caller's deal; from the deals module, injected by `app.ts`. */
type CarFor = (
  deps: Deps,
  caller: Caller,
  sellerId: string,
  vin: string,
) => Promise<EndpointOutput<typeof calls.readCarOfSeller>>

/** Functions of the `deals` module, passed in by `app.ts`. */
type CarHooks = ListingHooks & { carFor: CarFor }

export function registerCars(http: HttpContext, deps: Deps, { carFor, ...hooks }: CarHooks): void {
  registerEndpoint(http, calls.readPublicCar, ({ params, db }) =>
    readPublicCar(db, params.userId, params.vin),
  )
  registerEndpoint(http, calls.readCarOfSeller, ({ actor, params }) =>
    carFor(deps, actor, params.userId, params.vin),
  )
  registerEndpoint(http, calls.addCar, ({ actor, body, intent }) => addCar({ ...deps, intent }, actor, body))
  registerEndpoint(http, claimCalls.claimCar, ({ actor, body, intent }) =>
    claims.claimCar({ ...deps, intent }, actor, body),
  )
  registerEndpoint(http, claimCalls.listClaims, async ({ actor, query, request, reply }) => {
    const { claims: shown, next } = await claims.listClaims(deps, query)
    markPeopleShown(
      actor,
      shown.flatMap(({ seller, claimant }) => [seller._id, claimant._id]),
    )
    if (next) setNextLink(reply, request, next)
    return shown
  })
  registerEndpoint(http, claimCalls.keepClaimedListing, async ({ actor, params }) => {
    await claims.keepClaimedListing(deps, actor, params.claimId)
    return { ok: true } as const
  })
  const flyers = createFlyerPrinter({ onFault: (fault) => deps.log.error({ err: fault }, 'flyer') })
  http.app.addHook('onClose', () => flyers.close())
  registerEndpoint(http, calls.readCarFlyer, async ({ actor, params, query, reply }) => {
    const { name, bytes } = await printFlyer(deps, flyers, actor, { ...params, ...query })
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
  registerEndpoint(http, calls.lookUpVin, ({ actor, params }) => lookUpVin(deps, actor, params.vin))
  registerEndpoint(http, calls.warmUpVinLookUp, () => {
    deps.vins.warm()
    return { ok: true } as const
  })
  registerEndpoint(http, calls.listAllCars, async ({ caller, query, request, reply, db }) => {
    const { cars, next } = await listAllCars(db, caller, query)
    if (next) setNextLink(reply, request, next)
    return cars
  })
  registerEndpoint(http, calls.editCar, ({ actor, body, request, intent }) =>
    editCar({ ...deps, hooks, intent }, toChangeContext(actor, request), body),
  )
  registerEndpoint(http, calls.describeCar, ({ actor, params, body, request, intent }) =>
    describeCar({ ...deps, hooks, intent }, toChangeContext(actor, request), params.carId, body),
  )
  registerEndpoint(http, calls.updatePrice, ({ actor, params, body, request, intent }) =>
    updatePrice({ ...deps, hooks, intent }, toChangeContext(actor, request), params.carId, body),
  )
  registerEndpoint(
    http,
    calls.addCarPhoto,
    ({ actor, params, query, upload, request }) =>
      photos.addCarPhoto(
        { ...deps, hooks },
        toChangeContext(actor, request),
        { ...params, ...query },
        upload,
      ),
    ({ isNew, ...added }, reply) => {
      reply.code(isNew ? 201 : 200)
      return added
    },
  )
  registerEndpoint(http, calls.orderCarPhotos, ({ actor, params, body, request, intent }) =>
    photos.orderCarPhotos(
      { ...deps, hooks, intent },
      toChangeContext(actor, request),
      params.carId,
      body.photoIds,
    ),
  )
  registerEndpoint(http, calls.captionCarPhoto, ({ actor, params, body, request, intent }) =>
    photos.captionCarPhoto({ ...deps, hooks, intent }, toChangeContext(actor, request), params, body.caption),
  )
  registerEndpoint(http, calls.deleteCarPhoto, ({ actor, params, request, intent }) =>
    photos.deleteCarPhoto({ ...deps, hooks, intent }, toChangeContext(actor, request), params),
  )
}
