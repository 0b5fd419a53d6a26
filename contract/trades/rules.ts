/** Stored and sent exactly like this; OFFER is the buyer's counter (2 s4, decisions D1). */
export const tradeStatuses = ['PENDING', 'OFFERED', 'OFFER', 'ACCEPTED', 'REJECTED'] as const
export type TradeStatus = (typeof tradeStatuses)[number]

/** How each status is shown (2 s4; decisions D1). */
export const tradeStatusLabels: Record<TradeStatus, string> = {
  PENDING: 'PENDING',
  OFFERED: 'OFFERED',
  OFFER: 'COUNTER OFFER',
  ACCEPTED: 'ACCEPTED',
  REJECTED: 'REJECTED',
}

/** The wholesaler's filter, in the order of the specification (2 s2). */
export const tradeFilters = [
  { status: 'ALL', label: 'All' },
  { status: 'PENDING', label: 'Pending' },
  { status: 'OFFERED', label: 'Offered' },
  { status: 'OFFER', label: 'Counter' },
  { status: 'ACCEPTED', label: 'Accepted' },
  { status: 'REJECTED', label: 'Rejected' },
] as const satisfies readonly { status: TradeFilter; label: string }[]
export type TradeFilter = TradeStatus | 'ALL'

/** Who may move a trade; ADMIN is an administrator's session, CLOCK the database's clock. */
export const tradeParties = ['OWNER', 'WHOLESALER', 'ADMIN', 'CLOCK'] as const
export type TradeParty = (typeof tradeParties)[number]

export const tradeMoveNames = ['offer', 'accept', 'reject', 'counter', 'forfeit', 'reset', 'expire'] as const
export type TradeMoveName = (typeof tradeMoveNames)[number]

/** What the ledger calls the moves, and the two events that are no move. */
export const tradeEventNames = ['submit', ...tradeMoveNames, 'delete'] as const
export type TradeEventName = (typeof tradeEventNames)[number]
