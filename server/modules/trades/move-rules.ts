import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import type { TradeMoveRequest } from '@keyturn/contract/trades/endpoints.ts'
import {
  findTradeMove,
  offerLifetimeMs,
  type TradeMove,
  type TradeMoveActor,
  withdrawalEnd,
} from '@keyturn/contract/trades/rules.ts'
import { parseTaxRate, tradeCredit } from '@keyturn/contract/trades/tax.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { ZipRate } from '../../integrations/sales-tax/tax-rates.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import type { LockedTrade } from './repository.ts'
import type { TradeRow } from './tables.ts'
import type { TradeActor } from './trade-events.ts'

/** Returns the caller's roles: one browser may hold a user's and an administrator's session. */
export function tradeMoveActorsOf({ user, administrator }: Caller, ownerId: string): TradeMoveActor[] {
  const actors: TradeMoveActor[] = []
  if (user?.verified && user.userType !== 'WHOLESALER' && user.id === ownerId) actors.push('OWNER')
  if (user?.verified && user.wholesaler) actors.push('WHOLESALER')
  if (administrator) actors.push('ADMIN')
  return actors
}

/** The owner whose trades the caller may see; null means everybody's. */
export const visibleOwnerId = ({ user, administrator }: Caller): string | null =>
  administrator || user?.wholesaler ? null : (user?.id ?? '')

/** An administrator has no row in the users table. */
export const toTradeActor = (
  actor: TradeMoveActor,
  { user, administrator }: Caller,
  requestId: string | null,
): TradeActor => {
  const session = actor === 'ADMIN' ? administrator : user
  return {
    actor,
    id: actor === 'ADMIN' ? null : (user?.id ?? null),
    sessionId: session?.sessionId ?? null,
    requestId,
  }
}

/** Whether the offer that ended last was withdrawn instead of expiring. */
export const isWithdrawn = ({ expiredAt, withdrawnAt }: TradeRow): boolean =>
  expiredAt !== null && withdrawnAt?.getTime() === expiredAt.getTime()

/** Returns the requested move or throws. An ended offer is reported before any other error. */
export function decideMove(
  { trade, isOfferOver, now }: LockedTrade,
  wish: TradeMoveRequest,
  { actors, callerId }: { actors: readonly TradeMoveActor[]; callerId: string | undefined },
  current: () => unknown,
): TradeMove {
  const answersOffer = actors.includes('OWNER') && findTradeMove('OFFERED', wish.status, ['OWNER']) !== null
  if (answersOffer && isWithdrawn(trade)) throw tradeErrors.OfferWithdrawn({ current: current() })
  if (answersOffer && (isOfferOver || trade.expiredAt !== null))
    throw tradeErrors.OfferExpired({ current: current() })
  const isStale = wish.version !== undefined && wish.version !== trade.version
  if (isStale || isOfferOver) throw apiErrors.StaleVersion({ current: current() })
  const move = findTradeMove(trade.status, wish.status, actors)
  if (!move) throw tradeErrors.InvalidTransition({ current: current() })
  if (move.name === 'withdraw') {
    if (trade.offeredBy !== callerId) throw tradeErrors.InvalidTransition({ current: current() })
    if (withdrawalEnd(trade.movedAt) <= now) throw tradeErrors.WithdrawalOver({ current: current() })
  }
  // An acceptance of another amount was meant for an earlier offer.
  if (wish.status === 'ACCEPTED' && typeof wish.price === 'number' && wish.price !== trade.priceCents)
    throw apiErrors.StaleVersion({ current: current() })
  return move
}

/** Computes status, price and credit after a move; only the server sets credit (R-trades-27). */
export function computeMoveResult(
  trade: TradeRow,
  move: TradeMove,
  wish: TradeMoveRequest,
  found: Pick<ZipRate, 'rate' | 'asOf'> | null,
) {
  const to = { status: move.to, standsMs: offerLifetimeMs }
  switch (move.price) {
    case 'kept':
      return {
        ...to,
        priceCents: trade.priceCents,
        taxCreditCents: trade.taxCreditCents,
        taxRate: trade.taxRate,
        taxRateAsOf: trade.taxRateAsOf,
      }
    case 'cleared':
      return { ...to, priceCents: null, taxCreditCents: null, taxRate: null, taxRateAsOf: null }
    case 'given': {
      const rate = found?.rate ?? null
      const price: Cents = 'price' in wish && wish.price ? wish.price : cents(0)
      return {
        ...to,
        priceCents: price,
        taxCreditCents: tradeCredit(price, trade.zipCode, parseTaxRate(rate)),
        taxRate: rate,
        taxRateAsOf: found?.asOf ?? null,
      }
    }
  }
}
