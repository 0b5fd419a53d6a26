import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import type { TradeMoveRequest } from '@keyturn/contract/trades/endpoints.ts'
import {
  findTradeMove,
  offerLifetimeMs,
  type TradeMove,
  type TradeParty,
} from '@keyturn/contract/trades/rules.ts'
import { parseTaxRate, tradeCredit } from '@keyturn/contract/trades/tax.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import type { LockedTrade } from './repository.ts'
import type { TradeRow } from './tables.ts'
import type { TradeActor } from './trade-events.ts'

/** The parties a caller acts as; one browser may hold a user's and the administrator's session. */
export function tradePartiesOf({ user, administrator }: Caller, ownerId: string): TradeParty[] {
  const parties: TradeParty[] = []
  if (user?.verified && user.userType !== 'WHOLESALER' && user.id === ownerId) parties.push('OWNER')
  if (user?.verified && user.wholesaler) parties.push('WHOLESALER')
  if (administrator) parties.push('ADMIN')
  return parties
}

/** The owner whose trades the caller may see; null means everybody's. */
export const visibleOwnerId = ({ user, administrator }: Caller): string | null =>
  administrator || user?.wholesaler ? null : (user?.id ?? '')

/** An administrator has no row in the users table. */
export const toTradeActor = (
  party: TradeParty,
  { user, administrator }: Caller,
  requestId: string | null,
): TradeActor => {
  const session = party === 'ADMIN' ? administrator : user
  return {
    party,
    id: party === 'ADMIN' ? null : (user?.id ?? null),
    sessionId: session?.sessionId ?? null,
    requestId,
  }
}

/** Returns the requested move or throws. An expired offer is reported before any other error. */
export function decideMove(
  { trade, isOfferOver }: LockedTrade,
  wish: TradeMoveRequest,
  parties: readonly TradeParty[],
  current: () => unknown,
): TradeMove {
  const answersOffer = parties.includes('OWNER') && findTradeMove('OFFERED', wish.status, ['OWNER']) !== null
  if (answersOffer && (isOfferOver || trade.expiredAt !== null))
    throw tradeErrors.OfferExpired({ current: current() })
  const isStale = wish.version !== undefined && wish.version !== trade.version
  if (isStale || isOfferOver) throw apiErrors.StaleVersion({ current: current() })
  const move = findTradeMove(trade.status, wish.status, parties)
  if (!move) throw tradeErrors.InvalidTransition({ current: current() })
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
  rate: string | null,
) {
  const to = { status: move.to, standsMs: offerLifetimeMs }
  switch (move.price) {
    case 'kept':
      return {
        ...to,
        priceCents: trade.priceCents,
        taxCreditCents: trade.taxCreditCents,
        taxRate: trade.taxRate,
      }
    case 'cleared':
      return { ...to, priceCents: null, taxCreditCents: null, taxRate: null }
    case 'given': {
      const price: Cents = 'price' in wish && wish.price ? wish.price : cents(0)
      return {
        ...to,
        priceCents: price,
        taxCreditCents: tradeCredit(price, trade.zipCode, parseTaxRate(rate)),
        taxRate: rate,
      }
    }
  }
}
