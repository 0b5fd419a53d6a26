import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Trade, TradeWish } from '@keyturn/contract/trades/endpoints.ts'
import { requiresPrice } from '@keyturn/contract/trades/rules.ts'
import type { Deps } from '../../deps.ts'
import { openTaxRates } from '../../integrations/sales-tax/tax-rates.ts'
import { transaction } from '../../platform/database/open-database.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { requirePerson } from '../accounts/people/lock-person.ts'
import { expireOffers, scheduleOfferJobs } from './expire-offers.ts'
import { encodeTrade, tradeFor } from './mappers.ts'
import { decideMove, partiesOf, priceAfter, tradeActorOf, visibleOwnerId } from './move-rules.ts'
import { notifyMoved } from './notify.ts'
import type { LockedTrade } from './repository.ts'
import * as store from './repository.ts'
import { recordTradeEvent } from './trade-events.ts'

/** Makes a move of the caller. Throws 404 for a trade out of reach, 409 for a wrong state. */
export async function moveTrade(
  deps: Deps,
  caller: Caller,
  id: string,
  wish: TradeWish,
  requestId: string | null = null,
): Promise<Trade> {
  await expireOffers(deps.db)
  const which = { id, ownerId: visibleOwnerId(caller) }
  const [seen] = await store.findTrade(deps.db, which)
  if (!seen || (wish.vin !== undefined && wish.vin !== seen.trade.vin)) throw apiErrors.NotFound()
  const parties = partiesOf(caller, seen.trade.ownerId)
  // External services are called first, never while holding a lock.
  const rate = requiresPrice(wish.status)
    ? (await openTaxRates(deps.config).rateOf(seen.trade.zipCode)).rate
    : null

  return transaction(deps, async (tx) => {
    // The offering wholesaler must not be leaving: deleting an account withdraws only the offers it
    // finds.
    if (caller.user?.wholesaler && wish.status === 'OFFERED') await requirePerson(tx, caller.user.id)
    const [locked] = await store.lockTrade(tx, which)
    if (!locked) throw apiErrors.NotFound()
    const shown = (changes: Partial<LockedTrade> = {}) => tradeFor(caller, { ...seen, ...locked, ...changes })
    const by = { parties, callerId: caller.user?.id }
    const move = decideMove(locked, wish, by, () => encodeTrade(shown()))
    const [row] = await store.saveMove(tx, {
      id,
      ...priceAfter(locked.trade, move, wish, rate),
      offeredBy:
        move.name === 'offer'
          ? (caller.user?.id ?? null)
          : move.price === 'cleared'
            ? null
            : locked.trade.offeredBy,
      withdrawnCents: move.name === 'withdraw' ? locked.trade.priceCents : null,
    })
    if (!row) throw apiErrors.NotFound()
    await recordTradeEvent(tx, row, move.name, tradeActorOf(move.by, caller, requestId))
    await scheduleOfferJobs(tx, row)
    await notifyMoved(deps, tx, move.name, row)
    if (move.price === 'kept') return shown({ trade: row })
    return shown({ trade: row, counteredCents: move.name === 'counter' ? locked.trade.priceCents : null })
  })
}
