import * as calls from '@keyturn/contract/dealers/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { setNextLink } from '../../platform/http/set-next-link.ts'
import { addDealer, editDealer, listDealers } from './dealers.ts'
import { readDeliveries, replayDelivery, sendTestDelivery } from './webhook-delivery/admin-deliveries.ts'

export function registerDealers(http: HttpContext, deps: Deps): void {
  registerEndpoint(http, calls.listDealers, () => listDealers(deps))
  registerEndpoint(http, calls.addDealer, ({ actor, body }) => addDealer(deps, actor, body))
  registerEndpoint(http, calls.editDealer, ({ actor, params, body }) =>
    editDealer(deps, actor, params.dealerId, body),
  )
  registerEndpoint(http, calls.testDealer, ({ actor, params }) =>
    sendTestDelivery(deps, actor, params.dealerId),
  )
  registerEndpoint(http, calls.listDeliveries, async ({ query, request, reply }) => {
    const { deliveries, next } = await readDeliveries(deps, query)
    if (next) setNextLink(reply, request, next)
    return deliveries
  })
  registerEndpoint(http, calls.replayDelivery, ({ actor, params }) =>
    replayDelivery(deps, actor, params.deliveryId),
  )
}
