/** Stored and sent exactly like this; OFFER is the buyer's counter (2 s4, decisions D1). */
export const tradeStatuses = ['PENDING', 'OFFERED', 'OFFER', 'ACCEPTED', 'REJECTED'] as const
export type TradeStatus = (typeof tradeStatuses)[number]
