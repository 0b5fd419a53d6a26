import * as calls from '@keyturn/contract/dealers/dealer-desk.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { isFromThisMachine } from '../../../platform/http/proxies.ts'
import {
  type HttpContext,
  registerEndpoint,
  registerSignedEndpoint,
} from '../../../platform/http/register-endpoint.ts'
import { setNextLink } from '../../../platform/http/set-next-link.ts'
import { originOf } from './desk.ts'
import * as dealing from './desk-deals.ts'

/**
 * Registers the endpoints of the desk's page, for the administrator, and the one that receives
 * deliveries.
 */
export function registerDealerDesk(http: HttpContext, deps: Deps): void {
  noteOrigin(http, deps)
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
    const { deals, next } = await dealing.listDeals(atDesk(), query)
    if (next) setNextLink(reply, request, next)
    return deals
  })
  registerEndpoint(http, calls.readDeskDeal, ({ params }) => dealing.readDeal(atDesk(), params.pkgId))
  registerEndpoint(http, calls.deskAgreement, ({ params }) => dealing.readAgreement(atDesk(), params.pkgId))
  registerEndpoint(http, calls.answerFromDesk, ({ params, body, request }) => {
    if (body.pkgId !== params.pkgId)
      throw apiErrors.ValidationError({ fields: [{ path: 'pkgId', message: fieldTexts.id }] })
    return dealing.sendStep(atDesk(), body, request.headers['idempotency-key']?.toString())
  })
  const signing = {
    admit: (request: FastifyRequest) => {
      if (!deps.desk || !isFromThisMachine(request)) throw apiErrors.NotFound()
    },
    verify: async (request: FastifyRequest) => dealing.requireDeskSignature(atDesk().desk, request),
  }
  registerSignedEndpoint(http, calls.deliverToDesk, signing, async ({ body }) => {
    await dealing.receiveDelivery(atDesk(), body)
    return { ok: true } as const
  })
}

function noteOrigin({ app }: HttpContext, deps: Deps): void {
  app.addHook('onListen', async () => {
    const address = app.server.address()
    if (deps.desk && address !== null && typeof address === 'object') deps.desk.origin = originOf(address)
  })
}
