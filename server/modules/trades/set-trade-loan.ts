import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { setTradeLoan as setTradeLoanCall, Trade } from '@keyturn/contract/trades/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import { toLoan } from '../cars/mappers.ts'
import { encodeTrade, toTrade } from './mappers.ts'
import { publishTradeChange } from './notify.ts'
import * as store from './repository.ts'
import type { TradeRow } from './tables.ts'

/**
 * Locks the request that contains a trade, before the trade itself. Throws when its buyer is
 * confirmed. Returns what changes its terms, or null for a trade in no request.
 */
export type LockRequestOfTrade = (
  tx: Db,
  tradeId: string,
  actor: UserActor,
) => Promise<((from: TradeRow, to: TradeRow) => Promise<void>) | null>

/** Changes what the owner owes on a trade, which voids the signatures on its request (R-trades-39). */
export const setTradeLoan = (
  deps: Deps,
  actor: UserActor,
  tradeId: string,
  { version, ...form }: EndpointInput<typeof setTradeLoanCall>['body'],
  lockRequest: LockRequestOfTrade,
): Promise<Trade> =>
  transaction(deps, async (tx) => {
    const which = { id: tradeId, ownerId: actor.id }
    const [own] = await store.findTrade(tx, which)
    if (own?.trade.ownerId !== actor.id) throw apiErrors.NotFound()
    const changeTerms = await lockRequest(tx, tradeId, actor)
    const [locked] = await store.lockTrade(tx, which)
    if (!locked) throw apiErrors.NotFound()
    const stale = () => apiErrors.StaleVersion({ current: encodeTrade(toTrade(locked)) })
    if (version !== undefined && version !== locked.trade.version) throw stale()
    // A request may have attached the trade in between.
    const [{ attached } = { attached: 0 }] = await store.countAttachedTrades(tx, { ids: [tradeId] })
    if (attached > 0 && !changeTerms) throw stale()
    const loan = toLoan({ payoffAmount: null, lender: '', ...form })
    const [row] = await store.saveTradeLoan(tx, { id: tradeId, payoff: form.payoff, ...loan })
    if (!row) throw apiErrors.NotFound()
    await changeTerms?.(locked.trade, row)
    await publishTradeChange(tx, [actor.id])
    return toTrade({ ...locked, trade: row })
  })
