import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Trade, TradeMoveRequest } from '@keyturn/contract/trades/endpoints.ts'
import { requiresPrice } from '@keyturn/contract/trades/rules.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { Deps } from '../../deps.ts'
import { createTaxRates } from '../../integrations/sales-tax/tax-rates.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { recordAdminEvent } from '../accounts/administrator/admin-events.ts'
import { lockExistingPerson } from '../accounts/people/lock-person.ts'
import { isSuspended } from '../accounts/people/suspension.ts'
import { expireOffers, scheduleOfferJobs } from './expire-offers.ts'
import { encodeTrade, toTradeFor } from './mappers.ts'
import {
  computeMoveResult,
  decideMove,
  toTradeActor,
  tradeMoveActorsOf,
  visibleOwnerId,
} from './move-rules.ts'
import { notifyMoved } from './notify.ts'
import { recordContacts } from './read-trades.ts'
import type { LockedTrade } from './repository.ts'
import * as store from './repository.ts'
import { findRecentWithdrawal, recordTradeEvent } from './trade-events.ts'

/**
 * Makes the caller's move. Throws `NotFound` for a trade that the caller may not see, and a conflict
 * if its status does not allow the move.
 */
export async function moveTrade(
  deps: Deps,
  caller: Caller,
  id: string,
  wish: TradeMoveRequest,
  requestId: string | null = null,
): Promise<Trade> {
  await expireOffers(deps.db)
  const which = { id, ownerId: visibleOwnerId(caller) }
  const [seen] = await store.findTrade(deps.db, which)
  if (!seen || (wish.vin !== undefined && wish.vin !== seen.trade.vin)) throw apiErrors.NotFound()
  const actors = tradeMoveActorsOf(caller, seen.trade.ownerId)
  // External services are called first, never while holding a lock.
  const rate = requiresPrice(wish.status)
    ? await createTaxRates(deps.config).rateOf(seen.trade.zipCode)
    : null

  return transaction(deps, async (tx) => {
    // The offering wholesaler must not be deleting their account: a deletion withdraws only the
    // offers that it finds.
    if (caller.user?.wholesaler && wish.status === 'OFFERED') await lockExistingPerson(tx, caller.user.id)
    const [locked] = await store.lockTrade(tx, which)
    if (!locked) throw apiErrors.NotFound()
    const shown = (changes: Partial<LockedTrade> = {}) =>
      toTradeFor(caller, { ...seen, ...locked, ...changes })
    if (!endsOffer(wish.status) && (await isTradePaused(tx, locked.trade, caller)))
      throw tradeErrors.TradePaused({ current: encodeTrade(shown({ isPaused: true })) })
    const by = { actors, callerId: caller.user?.id }
    const move = decideMove(locked, wish, by, () => encodeTrade(shown()))
    if (move.name === 'withdraw' && caller.user) {
      // Asked again, because facts that were read with the lock may be older than the wait for it.
      const [earlier] = await findRecentWithdrawal(tx, { tradeId: id, wholesalerId: caller.user.id })
      if (earlier) throw tradeErrors.AlreadyWithdrawn({ current: encodeTrade(shown()) })
    }
    const [row] = await store.saveTradeMove(tx, {
      id,
      ...computeMoveResult(locked.trade, move, wish, rate),
      offeredBy:
        move.name === 'offer'
          ? (caller.user?.id ?? null)
          : move.price === 'cleared'
            ? null
            : locked.trade.offeredBy,
      withdrawnCents: move.name === 'withdraw' ? locked.trade.priceCents : null,
    })
    if (!row) throw apiErrors.NotFound()
    await recordTradeEvent(tx, row, move.name, toTradeActor(move.by, caller, requestId))
    if (move.by === 'ADMIN' && caller.administrator)
      await recordAdminEvent(tx, caller.administrator, {
        act: 'movedTrade',
        personId: row.ownerId,
        subject: id,
        before: { status: locked.trade.status },
        after: { status: row.status },
      })
    await scheduleOfferJobs(tx, row)
    await notifyMoved(deps, tx, move.name, row)
    const counteredCents = move.name === 'counter' ? locked.trade.priceCents : null
    const moved = shown({ trade: row, ...(move.price !== 'kept' && { counteredCents }) })
    await recordContacts({ ...deps, db: tx }, caller, [moved])
    return moved
  })
}

/** A rejection and a withdrawal are possible while it is paused, as leaving a deal is (R-deals-117). */
const endsOffer = (wish: TradeMoveRequest['status']): boolean => wish === 'REJECTED' || wish === 'PENDING'

/** Asked under the trade's lock: the owner, the caller or the wholesaler of the offer is suspended. */
async function isTradePaused(
  tx: Db,
  { ownerId, offeredBy }: LockedTrade['trade'],
  { user }: Caller,
): Promise<boolean> {
  for (const id of new Set([ownerId, offeredBy, user?.id])) if (id && (await isSuspended(tx, id))) return true
  return false
}
