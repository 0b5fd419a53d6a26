import * as calls from '@keyturn/contract/dealers/dealer-desk.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import {
  type HttpContext,
  registerEndpoint,
  registerSignedEndpoint,
} from '../../../platform/http/register-endpoint.ts'
import { setNextLink } from '../../../platform/http/set-next-link.ts'
import { isFromThisMachine } from '../../../platform/http/trusted-proxies.ts'
import { localOriginOf } from './desk.ts'
import * as dealing from './desk-deals.ts'

/**
 * Registers the endpoints of the desk's page, for the administrator, and the one that receives
 * deliveries.
 */
export function registerDealerDesk(http: HttpContext, deps: Deps): void {
  storeOrigin(http, deps)
  const atDesk = () => {
    const { desk, db } = deps
    if (!desk) throw apiErrors.NotFound()
    return { desk, db }
  }
  registerEndpoint(http, calls.readDesk, () => ({
    isOn: deps.desk !== undefined,
    dealer: deps.config.dealer.name,
  }))
  registerEndpoint(http, calls.listDeskDeals, async ({ query, request, reply }) => {
    if (!deps.desk) return []
    const { deals, next } = await dealing.listDeskDeals(atDesk(), query)
    if (next) setNextLink(reply, request, next)
    return deals
  })
  registerEndpoint(http, calls.readDeskDeal, ({ params }) => dealing.readDeskDeal(atDesk(), params.pkgId))
  registerEndpoint(http, calls.readDeskAgreement, ({ params }) =>
    dealing.readDeskAgreement(atDesk(), params.pkgId),
  )
  registerEndpoint(http, calls.answerFromDesk, ({ actor, params, body, request }) => {
    if (body.pkgId !== params.pkgId)
      throw apiErrors.ValidationError({ fields: [{ path: 'pkgId', message: fieldTexts.id }] })
    return dealing.reportDeskStep(atDesk(), actor, body, request.headers['idempotency-key']?.toString())
  })
  const signing = {
    admit: (request: FastifyRequest) => {
      if (!deps.desk || !isFromThisMachine(request)) throw apiErrors.NotFound()
    },
    verify: async (request: FastifyRequest) => dealing.requireDeskSignature(atDesk().desk, request),
  }
  registerSignedEndpoint(http, calls.deliverToDesk, signing, async ({ body }) => {
    await dealing.receiveDeskDelivery(atDesk(), body)
    return { ok: true } as const
  })
}

function storeOrigin({ app }: HttpContext, deps: Deps): void {
  app.addHook('onListen', async () => {
    const address = app.server.address()
    if (deps.desk && address !== null && typeof address === 'object')
      deps.desk.origin = localOriginOf(address)
  })
}
