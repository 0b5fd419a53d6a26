import { refuse } from '@keyturn/contract/shared/error.ts'
import * as calls from '@keyturn/contract/trades/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { nextLink } from '../../platform/http/link.ts'
import { answer, type Door } from '../../platform/http/register-endpoint.ts'
import { addTrade, type BeforeDelete, deleteTrade, moveTrade } from './actions.ts'
import * as photos from './photos.ts'
import { allTrades, availableTrades, historyOf, lookUpTax, tradesOfUser } from './reading.ts'

/** Every call about trades; `beforeDelete` lets deals refuse or prepare a deletion. */
export function registerTrades(door: Door, deps: Deps, hooks: { beforeDelete: BeforeDelete }): void {
  answer(door, calls.addTrade, ({ actor, body, request, intent }) =>
    addTrade({ ...deps, intent }, actor, body, request.id),
  )
  answer(door, calls.tradesOfUser, ({ asker, params }) => tradesOfUser(deps, asker, params.userId))
  answer(door, calls.availableTrades, ({ actor, params, query }) => {
    if (params.userId !== actor.id) throw refuse.NotFound()
    return availableTrades(deps.db, actor.id, query.vin)
  })
  answer(door, calls.allTrades, async ({ asker, query, request, reply }) => {
    const { trades, next } = await allTrades(deps, asker, query)
    if (next) nextLink(reply, request, next)
    return trades
  })
  answer(door, calls.moveTrade, ({ asker, params, body, request, intent }) =>
    moveTrade({ ...deps, intent }, asker, params.tradeId, body, request.id),
  )
  answer(
    door,
    calls.addTradePhoto,
    ({ actor, params, upload }) => photos.addPhoto(deps, actor, params.tradeId, upload),
    ({ isNew, ...added }, reply) => {
      reply.code(isNew ? 201 : 200)
      return added
    },
  )
  answer(door, calls.orderTradePhotos, ({ actor, params, body, intent }) =>
    photos.orderPhotos({ ...deps, intent }, actor, params.tradeId, body.photoIds),
  )
  answer(door, calls.captionTradePhoto, ({ actor, params, body, intent }) =>
    photos.captionPhoto({ ...deps, intent }, actor, params, body.caption),
  )
  answer(door, calls.deleteTradePhoto, ({ actor, params, intent }) =>
    photos.deletePhoto({ ...deps, intent }, actor, params),
  )
  answer(door, calls.tradeHistory, ({ asker, params }) => historyOf(deps, asker, params.tradeId))
  answer(
    door,
    calls.deleteTrade,
    ({ actor, params, query, body, request, intent }) => {
      const which = { vin: params.vin, version: query.version ?? body?.version }
      return deleteTrade({ ...deps, intent }, actor, which, hooks.beforeDelete, request.id)
    },
    () => ({ ok: true }) as const,
  )
  answer(door, calls.lookUpTax, ({ query }) => lookUpTax(deps, query))
}
