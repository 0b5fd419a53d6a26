import { apiErrors } from '@keyturn/contract/shared/error.ts'
import * as calls from '@keyturn/contract/trades/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { setNextLink } from '../../platform/http/set-next-link.ts'
import { addTrade } from './add-trade.ts'
import { deleteTrade, type ReleaseTrade } from './delete-trade.ts'
import { moveTrade } from './move-trade.ts'
import {
  listAvailableTrades,
  listTrades,
  listTradesOfUser,
  lookUpTaxRate,
  readTradeHistory,
} from './read-trades.ts'
import { type LockRequestOfTrade, setTradeLoan } from './set-trade-loan.ts'
import * as photos from './trade-photos.ts'

/** Registers the endpoints of trades; deals prevent or prepare a change by `hooks`. */
export function registerTrades(
  http: HttpContext,
  deps: Deps,
  hooks: { beforeDelete: ReleaseTrade; lockRequest: LockRequestOfTrade },
): void {
  registerEndpoint(http, calls.addTrade, ({ actor, body, request, intent }) =>
    addTrade({ ...deps, intent }, actor, body, request.id),
  )
  registerEndpoint(http, calls.listTradesOfUser, ({ caller, params, db }) =>
    listTradesOfUser(deps, caller, params.userId, db),
  )
  registerEndpoint(http, calls.listAvailableTrades, ({ actor, params, query }) => {
    if (params.userId !== actor.id) throw apiErrors.NotFound()
    return listAvailableTrades(deps.db, actor.id, query.vin)
  })
  registerEndpoint(http, calls.listTrades, async ({ caller, query, request, reply, db }) => {
    const { trades, next } = await listTrades(deps, caller, query, db)
    if (next) setNextLink(reply, request, next)
    return trades
  })
  registerEndpoint(http, calls.moveTrade, ({ caller, params, body, request, intent }) =>
    moveTrade({ ...deps, intent }, caller, params.tradeId, body, request.id),
  )
  registerEndpoint(
    http,
    calls.addTradePhoto,
    ({ actor, params, query, upload }) => photos.addTradePhoto(deps, actor, { ...params, ...query }, upload),
    ({ isNew, ...added }, reply) => {
      reply.code(isNew ? 201 : 200)
      return added
    },
  )
  registerEndpoint(http, calls.orderTradePhotos, ({ actor, params, body, intent }) =>
    photos.orderTradePhotos({ ...deps, intent }, actor, params.tradeId, body.photoIds),
  )
  registerEndpoint(http, calls.captionTradePhoto, ({ actor, params, body, intent }) =>
    photos.captionTradePhoto({ ...deps, intent }, actor, params, body.caption),
  )
  registerEndpoint(http, calls.deleteTradePhoto, ({ actor, params, intent }) =>
    photos.deleteTradePhoto({ ...deps, intent }, actor, params),
  )
  registerEndpoint(http, calls.readTradeHistory, ({ caller, params }) =>
    readTradeHistory(deps, caller, params.tradeId),
  )
  registerEndpoint(
    http,
    calls.deleteTrade,
    ({ actor, params, query, body, request, intent }) => {
      const which = { vin: params.vin, version: query.version ?? body?.version }
      return deleteTrade({ ...deps, intent }, actor, which, hooks.beforeDelete, request.id)
    },
    () => ({ ok: true }) as const,
  )
  registerEndpoint(http, calls.setTradeLoan, ({ actor, params, body, intent }) =>
    setTradeLoan({ ...deps, intent }, actor, params.tradeId, body, hooks.lockRequest),
  )
  registerEndpoint(http, calls.lookUpTaxRate, ({ query }) => lookUpTaxRate(deps, query))
}
