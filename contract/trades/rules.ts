import { hourMs } from '../shared/dates.ts'
import { type Cents, cents, maxPriceDollars } from '../shared/money.ts'

/** Stored and sent exactly like this; OFFER is the buyer's counter (R-trades-1). */
export const tradeStatuses = ['PENDING', 'OFFERED', 'OFFER', 'ACCEPTED', 'REJECTED'] as const
export type TradeStatus = (typeof tradeStatuses)[number]
/** Filters of a list of trades. */
export type TradeFilter = 'ALL' | TradeStatus

/** Actors that move a trade. ADMIN is an administrator's session, CLOCK the database's clock. */
export const tradeMoveActors = ['OWNER', 'WHOLESALER', 'ADMIN', 'CLOCK'] as const
export type TradeMoveActor = (typeof tradeMoveActors)[number]

type PriceRule =
  /** Sent with the request; the credit is computed from it. */
  | 'given'
  /** Unchanged; if a price is sent, it must be the stored one. */
  | 'kept'
  | 'cleared'

export type TradeMoveName =
  | 'offer'
  | 'withdraw'
  | 'accept'
  | 'reject'
  | 'counter'
  | 'forfeit'
  | 'reset'
  | 'expire'
export type TradeMove = {
  name: TradeMoveName
  by: TradeMoveActor
  from: readonly TradeStatus[]
  to: TradeStatus
  price: PriceRule
}

/** All moves of a trade, with their actors, statuses and prices (R-trades-2, R-trades-3). */
export const tradeMoves: readonly TradeMove[] = [
  { name: 'offer', by: 'WHOLESALER', from: ['PENDING', 'OFFER'], to: 'OFFERED', price: 'given' },
  { name: 'withdraw', by: 'WHOLESALER', from: ['OFFERED'], to: 'PENDING', price: 'cleared' },
  { name: 'accept', by: 'OWNER', from: ['OFFERED'], to: 'ACCEPTED', price: 'kept' },
  { name: 'reject', by: 'OWNER', from: ['OFFERED'], to: 'REJECTED', price: 'kept' },
  { name: 'counter', by: 'OWNER', from: ['OFFERED'], to: 'OFFER', price: 'given' },
  { name: 'forfeit', by: 'OWNER', from: ['OFFER'], to: 'REJECTED', price: 'kept' },
  { name: 'reset', by: 'ADMIN', from: ['REJECTED'], to: 'PENDING', price: 'cleared' },
  { name: 'expire', by: 'CLOCK', from: ['OFFERED'], to: 'PENDING', price: 'cleared' },
]

/** Returns the moves that an actor can make now: screens offer exactly what the server accepts. */
export const possibleTradeMoves = (status: TradeStatus, actor: TradeMoveActor): readonly TradeMove[] =>
  tradeMoves.filter((move) => move.by === actor && move.from.includes(status))

/** Returns the move by which one of these actors can reach this status, or null. */
export const findTradeMove = (
  from: TradeStatus,
  wish: TradeStatus,
  actors: readonly TradeMoveActor[],
): TradeMove | null =>
  tradeMoves.find((move) => move.to === wish && move.from.includes(from) && actors.includes(move.by)) ?? null

/** Names of the history's rows: the moves, and the two events that are not moves. */
export const tradeEventNames = [
  'submit',
  'offer',
  'withdraw',
  'accept',
  'reject',
  'counter',
  'forfeit',
  'reset',
  'expire',
  'delete',
] as const satisfies readonly (TradeMoveName | 'submit' | 'delete')[]
export type TradeEventName = (typeof tradeEventNames)[number]

const meanings: Record<TradeStatus, { isActive: boolean; isOpen: boolean; isAgreed: boolean }> = {
  PENDING: { isActive: false, isOpen: true, isAgreed: false },
  OFFERED: { isActive: true, isOpen: true, isAgreed: false },
  OFFER: { isActive: true, isOpen: true, isAgreed: false },
  ACCEPTED: { isActive: true, isOpen: false, isAgreed: true },
  REJECTED: { isActive: false, isOpen: false, isAgreed: false },
}

/** An amount is offered or agreed (R-trades-8); a deleted trade is never active. */
export const isActiveTrade = (status: TradeStatus): boolean => meanings[status].isActive

/** Neither accepted nor rejected (R-trades-8). */
export const isOpenTrade = (status: TradeStatus): boolean => meanings[status].isOpen

/**
 * The owner has accepted an offer, which a purchase can use; the photos that it was based on are
 * final (R-trades-33).
 */
export const isAgreedTrade = (status: TradeStatus): boolean => meanings[status].isAgreed

export const requiresPrice = (wish: TradeStatus): boolean =>
  tradeMoves.some((move) => move.to === wish && move.price === 'given')

/** Whether a wholesaler may make an offer now: the trade waits for one and is not paused. */
export const takesOffer = ({ status, isPaused }: { status: TradeStatus; isPaused: boolean }): boolean =>
  waitsForOffer(status) && !isPaused

/** A wholesaler is next: there is no offer yet, or the owner has countered it. */
export const waitsForOffer = (status: TradeStatus): boolean =>
  possibleTradeMoves(status, 'WHOLESALER').some((move) => move.name === 'offer')

/** Lifetime of a wholesaler's offer; the trade then returns to its state before the offer. */
export const offerLifetimeMs = 7 * 24 * hourMs
/** The owner is reminded this long before the offer expires. */
export const offerReminderMs = 24 * hourMs
/** How long its wholesaler can withdraw an unanswered offer (R-trades-34). */
export const withdrawalMs = 10 * 60_000
/** The landing page promises an offer within three hours (R-trades-7). */
export const promisedOfferTimeMs = 3 * hourMs

type Waiting = { status: TradeStatus } & Record<'createdAt' | 'movedAt', string | Date>

/** Whether the promised first offer is due: nobody has made one since the trade was submitted. */
export const isFirstOfferDue = ({ status, createdAt, movedAt }: Waiting): boolean =>
  status === 'PENDING' && Number(new Date(createdAt)) === Number(new Date(movedAt))

/**
 * Returns whether a wholesaler sees the owner's contact data: every wholesaler while the trade is
 * open, afterwards only the one whose offer was accepted (R-trades-20).
 */
export const isContactVisible = (
  trade: { status: TradeStatus; offeredBy: string | null },
  wholesalerId: string,
): boolean => isOpenTrade(trade.status) || (isAgreedTrade(trade.status) && trade.offeredBy === wholesalerId)

/** The end of the time in which the offer made then can be withdrawn (R-trades-34). */
export const withdrawalEnd = (offeredAt: Date): Date => new Date(offeredAt.getTime() + withdrawalMs)

/**
 * The request that a trade is part of is pending, or its buyer is confirmed, or both have signed, or
 * the sale is complete.
 */
export const tradeUses = ['REQUESTED', 'PROMISED', 'SIGNED', 'SOLD'] as const
export type TradeUse = (typeof tradeUses)[number]

/** Ten million dollars, the limit for any price. */
export const maxAmountCents = maxPriceDollars * 100

/**
 * Converts dollars from the wire to cents; null unless the amount is positive, is at most ten
 * million and has at most two decimals (R-trades-9). A double distinguishes any two such amounts.
 */
export function parseAmountInDollars(dollars: number): Cents | null {
  const value = Math.round(dollars * 100)
  const exact = value / 100 === dollars
  return exact && value >= 1 && value <= maxAmountCents ? cents(value) : null
}

/**
 * Parses typed dollars, with or without a $; null for commas, a sign or an exponent (R-trades-9).
 */
export function parseAmount(text: string): Cents | null {
  const digits = /^\s*\$? ?(\d{1,8}(?:\.\d{1,2})?)\s*$/.exec(text)?.[1]
  return digits === undefined ? null : parseAmountInDollars(Number(digits))
}

/** Whether typing on can make the text an amount: `0` can, `0.00`, `12.345` and `10000001` cannot. */
export const canBecomeAmount = (text: string): boolean => {
  const [, whole, decimals] = /^\s*\$? ?(\d{0,8})(?:\.(\d{0,2}))?$/.exec(text) ?? []
  if (whole === undefined) return false
  const typed = Number(`${whole || '0'}.${decimals ?? ''}`)
  return typed * 100 <= maxAmountCents && (typed > 0 || decimals?.length !== 2)
}
