import { maxSignInAgeForSigningMs } from '@keyturn/contract/accounts/rules.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { readInsights } from '@keyturn/contract/deals/insights.ts'
import * as presence from '@keyturn/contract/deals/presence/endpoints.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import type { Deps } from '../../deps.ts'
import { toChangeContext } from '../../platform/http/change-context.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { setNextLink } from '../../platform/http/set-next-link.ts'
import { signingLimit } from '../../platform/rate-limits/endpoint-limits.ts'
import { consumeLimitInMemory } from '../../platform/rate-limits/in-memory-limits.ts'
import { consumeLimit, throttleLimits } from '../../platform/rate-limits/throttles.ts'
import { requirePassword } from '../accounts/sessions/step-up.ts'
import * as read from './dashboards/read-deals.ts'
import * as insights from './dashboards/read-insights.ts'
import { soldCarsCsv } from './dashboards/sold-cars-csv.ts'
import { decideRequest } from './purchase/decide-request.ts'
import { deleteUser, type OtherRowsEraser } from './purchase/delete-user.ts'
import { deleteCar, removeListing } from './purchase/end-deal.ts'
import { answerProposal, proposePrice } from './purchase/proposals.ts'
import { requestCar } from './purchase/request-car.ts'
import { isSigningForm, type SignTerms, startProgress, updateProgress } from './purchase/update-progress.ts'
import { publishViewing, type ViewerRegistry } from './viewer-presence.ts'

const ok = { ok: true } as const

/** Functions of the modules above, passed in by `app.ts`. */
type DealHooks = { viewers: ViewerRegistry; sign: SignTerms; eraseOtherRows: OtherRowsEraser }

/** Registers all endpoints of deals, and those of cars that depend on a buyer. */
export function registerDeals(
  http: HttpContext,
  deps: Deps,
  { viewers, sign, eraseOtherRows }: DealHooks,
): void {
  registerEndpoint(http, calls.listCarsOfUser, ({ actor, params, db }) =>
    read.listCarsOfUser({ ...deps, db }, actor, params.userId),
  )
  registerEndpoint(http, calls.readCarByVin, ({ actor, params }) =>
    read.readCarByVin(deps, actor, params.vin),
  )
  registerEndpoint(http, calls.listRequests, ({ actor, params, db }) =>
    read.listRequests({ ...deps, db }, actor, params.carId),
  )

  registerEndpoint(
    http,
    calls.requestCar,
    ({ actor, body, request, intent }) =>
      requestCar({ ...deps, intent }, toChangeContext(actor, request), body),
    ({ car, isNew }, reply) => {
      reply.code(isNew ? 201 : 200)
      return car
    },
  )
  registerEndpoint(http, calls.decideRequest, ({ actor, body, request, intent }) =>
    decideRequest({ ...deps, intent }, toChangeContext(actor, request), body),
  )
  registerEndpoint(http, calls.proposePrice, ({ actor, body, request, intent }) =>
    proposePrice({ ...deps, intent }, toChangeContext(actor, request), body),
  )
  registerEndpoint(http, calls.answerProposal, ({ actor, body, request, intent }) =>
    answerProposal({ ...deps, intent }, toChangeContext(actor, request), body),
  )
  registerEndpoint(
    http,
    calls.deleteCar,
    ({ actor, params, query, request, intent }) =>
      deleteCar({ ...deps, intent }, toChangeContext(actor, request), { ...params, ...query }),
    () => ok,
  )
  registerEndpoint(http, calls.removeListing, async ({ actor, params, body }) => {
    await removeListing(deps, actor, params.carId, body?.reason ?? '')
    return ok
  })

  registerEndpoint(http, calls.startProgress, ({ actor, body, request, intent }) =>
    startProgress({ ...deps, intent }, toChangeContext(actor, request), body),
  )
  registerEndpoint(http, calls.updateProgress, async ({ actor, body, request, intent }) => {
    // Hashing a password is slow, so it happens before the car is locked.
    if (isSigningForm(body.data)) {
      consumeLimitInMemory(deps, signingLimit, actor.id)
      await requirePassword(deps, actor, body.data.currentPassword, maxSignInAgeForSigningMs)
    }
    return updateProgress({ ...deps, intent }, toChangeContext(actor, request), body, sign)
  })
  registerEndpoint(http, presence.reportViewing, ({ actor, params, body }) =>
    publishViewing(deps, viewers, actor, { params, body }),
  )
  registerEndpoint(http, calls.listSoldCars, async ({ query, request, reply, db }) => {
    const { cars, next } = await read.listSoldCars(db, query)
    if (next) setNextLink(reply, request, next)
    return cars
  })
  registerEndpoint(http, calls.exportSoldCars, async ({ reply }) => {
    const csv = await soldCarsCsv(deps.db)
    reply.header('content-disposition', `attachment; filename="${dealTexts.sold.fileName}"`)
    return csv
  })
  registerEndpoint(http, readInsights, ({ db }) => insights.readInsights(db))
  registerEndpoint(http, calls.getProgress, ({ caller, params, query }) =>
    read.readProgress(deps, caller, dealKey(params, query)),
  )
  registerEndpoint(http, calls.readTimeline, ({ caller, params, query }) =>
    read.readTimeline(deps, caller, dealKey(params, query)),
  )
  registerEndpoint(http, calls.readPackageId, ({ caller, params, query }) =>
    read.readPackageId(deps, caller, dealKey(params, query)),
  )

  registerEndpoint(http, calls.getBuyer, async ({ caller, params, request }) => {
    await consumeLimit(deps, throttleLimits.readPerson, caller.user?.id ?? request.ip)
    return { buyer: await read.readPerson(deps, caller, params.id) }
  })
  registerEndpoint(http, calls.getSeller, async ({ caller, params, request }) => {
    await consumeLimit(deps, throttleLimits.readPerson, caller.user?.id ?? request.ip)
    return { seller: await read.readPerson(deps, caller, params.id) }
  })
  registerEndpoint(http, calls.deleteUser, async ({ actor, params, body }) => {
    await deleteUser(deps, actor, params, body.currentPassword, eraseOtherRows)
    return ok
  })
}

const dealKey = (params: { userId: string; vin: string }, query: { buyerId?: string | undefined }) => ({
  sellerId: params.userId,
  vin: params.vin,
  buyerId: query.buyerId,
})
