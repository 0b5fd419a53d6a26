import { hourMs } from '../shared/dates.ts'
import { type Cents, cents, maxPriceDollars } from '../shared/money.ts'

/** Stored and sent exactly like this; OFFER is the buyer's counter (R-trades-1). */
export const tradeStatuses = ['PENDING', 'OFFERED', 'OFFER', 'ACCEPTED', 'REJECTED'] as const
export type TradeStatus = (typeof tradeStatuses)[number]
/** What a list of trades can be filtered by. */
export type TradeFilter = 'ALL' | TradeStatus

/** Who may move a trade; ADMIN is an administrator's session, CLOCK the database's clock. */
export const tradeParties = ['OWNER', 'WHOLESALER', 'ADMIN', 'CLOCK'] as const
export type TradeParty = (typeof tradeParties)[number]

type PriceRule =
  /** Sent with the wish; the credit is computed from it. */
  | 'given'
  /** Stays as it is; if one is sent, it must be the same. */
  | 'kept'
  | 'cleared'

export type TradeMoveName = 'offer' | 'accept' | 'reject' | 'counter' | 'forfeit' | 'reset' | 'expire'
export type TradeMove = {
  name: TradeMoveName
  by: TradeParty
  from: readonly TradeStatus[]
  to: TradeStatus
  price: PriceRule
}

/** Who may move a trade from which status to which, and what happens to its price (R-trades-2, R-trades-3). */
export const tradeMoves: readonly TradeMove[] = [
  { name: 'offer', by: 'WHOLESALER', from: ['PENDING', 'OFFER'], to: 'OFFERED', price: 'given' },
  { name: 'accept', by: 'OWNER', from: ['OFFERED'], to: 'ACCEPTED', price: 'kept' },
  { name: 'reject', by: 'OWNER', from: ['OFFERED'], to: 'REJECTED', price: 'kept' },
  { name: 'counter', by: 'OWNER', from: ['OFFERED'], to: 'OFFER', price: 'given' },
  { name: 'forfeit', by: 'OWNER', from: ['OFFER'], to: 'REJECTED', price: 'kept' },
  { name: 'reset', by: 'ADMIN', from: ['REJECTED'], to: 'PENDING', price: 'cleared' },
  { name: 'expire', by: 'CLOCK', from: ['OFFERED'], to: 'PENDING', price: 'cleared' },
]

/** What a party can do with a trade right now: the screens offer exactly what the server accepts. */
export const movesOpen = (status: TradeStatus, party: TradeParty): readonly TradeMove[] =>
  tradeMoves.filter((move) => move.by === party && move.from.includes(status))

/** The move by which one of these parties can reach the wished status, or null if there is none. */
export const findMove = (
  from: TradeStatus,
  wish: TradeStatus,
  parties: readonly TradeParty[],
): TradeMove | null =>
  tradeMoves.find((move) => move.to === wish && move.from.includes(from) && parties.includes(move.by)) ?? null

/** Names of the ledger's rows: the moves, and the two events that are not moves. */
export const tradeEventNames = [
  'submit',
  'offer',
  'accept',
  'reject',
  'counter',
  'forfeit',
  'reset',
  'expire',
  'delete',
] as const satisfies readonly (TradeMoveName | 'submit' | 'delete')[]
export type TradeEventName = (typeof tradeEventNames)[number]

const meanings: Record<TradeStatus, { isActive: boolean; isOpen: boolean }> = {
  PENDING: { isActive: false, isOpen: true },
  OFFERED: { isActive: true, isOpen: true },
  OFFER: { isActive: true, isOpen: true },
  ACCEPTED: { isActive: true, isOpen: false },
  REJECTED: { isActive: false, isOpen: false },
}

/** An amount is on the table or agreed (R-trades-8); a deleted trade is never active. */
export const isActive = (status: TradeStatus): boolean => meanings[status].isActive

/** Not agreed on yet, whichever side is next (R-trades-8). */
export const isOpen = (status: TradeStatus): boolean => meanings[status].isOpen

/** What a wholesaler's accepted offer was made on stays as it was (R-trades-33). */
export const arePhotosOpen = (status: TradeStatus): boolean => status !== 'ACCEPTED'

/** A wish for this status has to name a price. */
export const namesPrice = (wish: TradeStatus): boolean =>
  tradeMoves.some((move) => move.to === wish && move.price === 'given')

/** A wholesaler is next: there is no offer yet, or the owner has countered it. */
export const waitsForOffer = (status: TradeStatus): boolean =>
  movesOpen(status, 'WHOLESALER').some((move) => move.name === 'offer')

/** A wholesaler's offer expires after this long, as if it had not been made. */
export const offerStandsMs = 7 * 24 * hourMs
/** Its owner is reminded this long before. */
export const offerReminderMs = 24 * hourMs
/** The landing page promises a buy figure within three hours of receiving the trade's data (R-trades-7). */
export const offerPromiseMs = 3 * hourMs

/**
 * Whether a wholesaler still sees the owner's contact data: anyone while the trade is open to offers, afterwards only
 * the one whose offer was accepted (R-trades-20).
 */
export const contactVisible = (
  trade: { status: TradeStatus; offeredBy: string | null },
  wholesalerId: string,
): boolean => isOpen(trade.status) || (trade.status === 'ACCEPTED' && trade.offeredBy === wholesalerId)

/** Ten million dollars, the limit for any price. */
export const maxAmountCents = maxPriceDollars * 100

/**
 * An amount in dollars from the wire: positive, at most ten million, at most two decimals (R-trades-9); null for
 * anything else. A double is precise enough to tell any two such amounts apart.
 */
export function amountOf(dollars: number): Cents | null {
  const value = Math.round(dollars * 100)
  const exact = value / 100 === dollars
  return exact && value >= 1 && value <= maxAmountCents ? cents(value) : null
}

/** An amount as a person types it, perhaps after a $, without commas, minus or exponents (R-trades-9); null for anything else. */
export function typedAmount(text: string): Cents | null {
  const digits = /^\s*\$? ?(\d{1,8}(?:\.\d{1,2})?)\s*$/.exec(text)?.[1]
  return digits === undefined ? null : amountOf(Number(digits))
}
