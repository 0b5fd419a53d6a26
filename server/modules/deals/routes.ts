import { signingSignInMs } from '@keyturn/contract/accounts/rules.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import * as presence from '@keyturn/contract/deals/presence/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { nextLink } from '../../platform/http/link.ts'
import { answer, type Door } from '../../platform/http/register-endpoint.ts'
import { signingLimit } from '../../platform/rate-limits/call-limits.ts'
import { takeTurnHere } from '../../platform/rate-limits/counted-in-memory.ts'
import { limits, takeTurn } from '../../platform/rate-limits/throttles.ts'
import { requirePassword } from '../accounts/actions.ts'
import { deleteUser } from './actions.ts'
import { decideBuyer } from './deciding.ts'
import { deleteCar, removeListing } from './ending.ts'
import { describeCar, editCar } from './listing.ts'
import { originOf } from './open-deal.ts'
import * as photos from './photos.ts'
import { type Lookers, sayLooking } from './presence.ts'
import { updatePrice } from './pricing.ts'
import { isSigning, startProgress, updateProgress } from './progress.ts'
import * as read from './reading.ts'
import { requestCar } from './requests.ts'

const ok = { ok: true } as const

/** Every call that a deal decides, those of cars that depend on a buyer included. */
export function registerDeals(door: Door, deps: Deps, lookers: Lookers): void {
  answer(door, calls.carsOf, ({ actor, params }) => read.carsOf(deps, actor, params.userId))
  answer(door, calls.allCars, async ({ query, request, reply }) => {
    const { cars, next } = await read.allCars(deps, query)
    if (next) nextLink(reply, request, next)
    return cars
  })
  answer(door, calls.carByVin, ({ actor, params }) => read.carByVin(deps, actor, params.vin))
  answer(door, calls.requestsOnCar, ({ actor, params }) => read.requestsOn(deps, actor, params.carId))

  answer(
    door,
    calls.requestCar,
    ({ actor, body, request, intent }) => requestCar({ ...deps, intent }, originOf(actor, request), body),
    ({ car, isNew }, reply) => {
      reply.code(isNew ? 201 : 200)
      return car
    },
  )
  answer(door, calls.decideBuyer, ({ actor, body, request, intent }) =>
    decideBuyer({ ...deps, intent }, originOf(actor, request), body),
  )
  answer(door, calls.editCar, ({ actor, body, request, intent }) =>
    editCar({ ...deps, intent }, originOf(actor, request), body),
  )
  answer(door, calls.describeCar, ({ actor, params, body, request, intent }) =>
    describeCar({ ...deps, intent }, originOf(actor, request), params.carId, body),
  )
  answer(door, calls.updatePrice, ({ actor, params, body, request, intent }) =>
    updatePrice({ ...deps, intent }, originOf(actor, request), params.carId, body),
  )
  answer(
    door,
    calls.addCarPhoto,
    ({ actor, params, upload, request }) =>
      photos.addPhoto(deps, originOf(actor, request), params.carId, upload),
    ({ isNew, ...added }, reply) => {
      reply.code(isNew ? 201 : 200)
      return added
    },
  )
  answer(door, calls.orderCarPhotos, ({ actor, params, body, request, intent }) =>
    photos.orderPhotos({ ...deps, intent }, originOf(actor, request), params.carId, body.photoIds),
  )
  answer(door, calls.captionCarPhoto, ({ actor, params, body, request, intent }) =>
    photos.captionPhoto({ ...deps, intent }, originOf(actor, request), params, body.caption),
  )
  answer(door, calls.deleteCarPhoto, ({ actor, params, request, intent }) =>
    photos.deletePhoto({ ...deps, intent }, originOf(actor, request), params),
  )
  answer(
    door,
    calls.deleteCar,
    ({ actor, params, query, request, intent }) =>
      deleteCar({ ...deps, intent }, originOf(actor, request), { ...params, ...query }),
    () => ok,
  )
  answer(door, calls.removeListing, async ({ params, body }) => {
    await removeListing(deps, params.carId, body?.reason ?? '')
    return ok
  })

  answer(door, calls.startProgress, ({ actor, body, request, intent }) =>
    startProgress({ ...deps, intent }, originOf(actor, request), body),
  )
  answer(door, calls.updateProgress, async ({ actor, body, request, intent }) => {
    // Before the car is locked: a password takes its time.
    if (isSigning(body.data)) {
      takeTurnHere(deps, signingLimit, actor.id)
      await requirePassword(deps, actor, body.data.currentPassword, signingSignInMs)
    }
    return updateProgress({ ...deps, intent }, originOf(actor, request), body)
  })
  answer(door, presence.lookAtDeal, ({ actor, params, body }) =>
    sayLooking(deps, lookers, actor, { params, body }),
  )
  answer(door, calls.soldCars, async ({ query, request, reply }) => {
    const { cars, next } = await read.soldCars(deps, query)
    if (next) nextLink(reply, request, next)
    return cars
  })
  answer(door, calls.getProgress, ({ asker, params, query }) =>
    read.readProgress(deps, asker, which(params, query)),
  )
  answer(door, calls.timeline, ({ asker, params, query }) =>
    read.readTimeline(deps, asker, which(params, query)),
  )
  answer(door, calls.packageId, ({ asker, params, query }) =>
    read.readPackageId(deps, asker, which(params, query)),
  )

  answer(door, calls.getBuyer, async ({ asker, params, request }) => {
    await takeTurn(deps, limits.readPerson, asker.user?.id ?? request.ip)
    return { buyer: await read.readPerson(deps, asker, params.id) }
  })
  answer(door, calls.getSeller, async ({ asker, params, request }) => {
    await takeTurn(deps, limits.readPerson, asker.user?.id ?? request.ip)
    return { seller: await read.readPerson(deps, asker, params.id) }
  })
  answer(door, calls.deleteUser, async ({ actor, params, body }) => {
    await deleteUser(deps, actor, params, body.currentPassword)
    return ok
  })
}

const which = (params: { userId: string; vin: string }, query: { buyerId?: string | undefined }) => ({
  sellerId: params.userId,
  vin: params.vin,
  buyerId: query.buyerId,
})
