import * as calls from '@keyturn/contract/dealers/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { answer, type Door } from '../../http/answer.ts'
import { nextLink } from '../../http/link.ts'
import { readDeliveries, replay, sendTest } from '../delivery/delivery-list.ts'
import { addDealer, editDealer, listDealers } from './dealers.ts'

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
