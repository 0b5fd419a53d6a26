import * as calls from '@keyturn/contract/dealers/dealer-desk.ts'
import { refuse } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { nextLink } from '../../../platform/http/link.ts'
import { isFromThisMachine } from '../../../platform/http/proxies.ts'
import { answer, answerSigned, type Door } from '../../../platform/http/register-endpoint.ts'
import * as dealing from './dealing.ts'
import { originOf } from './desk.ts'

/** The calls of the desk's page, for the administrator, and the one that deals are delivered to. */
export function registerDealerDesk(door: Door, deps: Deps): void {
  noteOrigin(door, deps)
  const atDesk = () => {
    const { desk, db } = deps
    if (!desk) throw refuse.NotFound()
    return { desk, db }
  }
  answer(door, calls.readDesk, () => ({ isOn: deps.desk !== undefined, dealer: deps.config.dealer.name }))
  answer(door, calls.listDeskDeals, async ({ query, request, reply }) => {
    if (!deps.desk) return []
    const { deals, next } = await dealing.listDeals(atDesk(), query)
    if (next) nextLink(reply, request, next)
    return deals
  })
  answer(door, calls.readDeskDeal, ({ params }) => dealing.readDeal(atDesk(), params.pkgId))
  answer(door, calls.deskAgreement, ({ params }) => dealing.readAgreement(atDesk(), params.pkgId))
  answer(door, calls.answerFromDesk, ({ params, body, request }) => {
    if (body.pkgId !== params.pkgId)
      throw refuse.ValidationError({ fields: [{ path: 'pkgId', message: fieldTexts.id }] })
    return dealing.sayStep(atDesk(), body, request.headers['idempotency-key']?.toString())
  })
  const signing = {
    admit: (request: FastifyRequest) => {
      if (!deps.desk || !isFromThisMachine(request)) throw refuse.NotFound()
    },
    verify: async (request: FastifyRequest) => dealing.refuseUnsigned(atDesk().desk, request),
  }
  answerSigned(door, calls.deliverToDesk, signing, async ({ body }) => {
    await dealing.takeDelivery(atDesk(), body)
    return { ok: true } as const
  })
}

function noteOrigin({ app }: Door, deps: Deps): void {
  app.addHook('onListen', async () => {
    const address = app.server.address()
    if (deps.desk && address !== null && typeof address === 'object') deps.desk.origin = originOf(address)
  })
}
