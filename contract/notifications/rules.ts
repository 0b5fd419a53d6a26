/** Stored and sent in exactly this mixed case (decisions D17). */
export const notificationTypes = [
  'TRADE_OFFERED',
  'PRICE_UPDATED',
  'Seller_Agreement',
  'Buyer_Offer',
  'Buyer_Agreement',
] as const
export type NotificationType = (typeof notificationTypes)[number]

/** Which role sees which type (2 s6): buyers and sellers of what is addressed to them, wholesalers of everybody's. */
const typesOfRole = {
  BUYER: ['TRADE_OFFERED', 'PRICE_UPDATED', 'Seller_Agreement'],
  SELLER: ['Buyer_Offer', 'Buyer_Agreement'],
  WHOLESALER: ['PRICE_UPDATED', 'Seller_Agreement', 'Buyer_Offer', 'Buyer_Agreement'],
} as const satisfies Record<string, readonly NotificationType[]>

/** `addressee` is any person, about what is addressed to them; `wholesaler` is an approved one, about everybody's. */
export type Reader = 'addressee' | 'wholesaler'

/** A buyer who sells must not miss a step: whom it is addressed to sees what either role would (decisions D15). */
const typesOfReader: Record<Reader, readonly NotificationType[]> = {
  addressee: [...typesOfRole.BUYER, ...typesOfRole.SELLER],
  wholesaler: typesOfRole.WHOLESALER,
}

export const seesType = (reader: Reader, type: NotificationType): boolean =>
  typesOfReader[reader].includes(type)

/** A bell counts and shows what is among the newest hundred: more than anyone reads in a bell. */
export const bellDepth = 100

/** What a live event names: the page asks again what it holds of these rooms. */
export const liveRooms = ['notifications', 'accounts', 'cars', 'trades', 'deals'] as const
export type LiveRoom = (typeof liveRooms)[number]
