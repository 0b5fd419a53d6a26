import * as calls from '@keyturn/contract/dealers/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { nextLink } from '../../platform/http/link.ts'
import { answer, type Door } from '../../platform/http/register-endpoint.ts'
import { addDealer, editDealer, listDealers } from './dealers.ts'
import { readDeliveries, replay, sendTest } from './webhook-delivery/delivery-list.ts'

export function registerDealers(door: Door, deps: Deps): void {
  answer(door, calls.listDealers, () => listDealers(deps))
  answer(door, calls.addDealer, ({ body }) => addDealer(deps, body))
  answer(door, calls.editDealer, ({ params, body }) => editDealer(deps, params.dealerId, body))
  answer(door, calls.testDealer, ({ params }) => sendTest(deps, params.dealerId))
  answer(door, calls.listDeliveries, async ({ query, request, reply }) => {
    const { deliveries, next } = await readDeliveries(deps, query)
    if (next) nextLink(reply, request, next)
    return deliveries
  })
  answer(door, calls.replayDelivery, ({ params }) => replay(deps, params.deliveryId))
}
