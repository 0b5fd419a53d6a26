/** Stored and sent in exactly this mixed case (R-notifications-1). */
export const notificationTypes = [
  'TRADE_OFFERED',
  'PRICE_UPDATED',
  'Seller_Agreement',
  'Buyer_Offer',
  'Buyer_Agreement',
] as const
export type NotificationType = (typeof notificationTypes)[number]

/** `addressee` is any person, about what is addressed to them; `wholesaler` is an approved one, about everybody's. */
export type Reader = 'addressee' | 'wholesaler'

/**
 * Which reader sees which type (R-notifications-3). A buyer who sells must not miss a step: whom it is addressed to sees what a buyer
 * and what a seller would, and that is all of them (R-notifications-2).
 */
const typesOfReader: Record<Reader, readonly NotificationType[]> = {
  addressee: notificationTypes,
  wholesaler: ['PRICE_UPDATED', 'Seller_Agreement', 'Buyer_Offer', 'Buyer_Agreement'],
}

export const seesType = (reader: Reader, type: NotificationType): boolean =>
  typesOfReader[reader].includes(type)

/** A bell counts and shows what is among the newest hundred: more than anyone reads in a bell. */
export const bellDepth = 100

/** What a live event names: the page asks again what it holds of these rooms. */
export const liveRooms = ['notifications', 'accounts', 'cars', 'trades', 'deals'] as const
export type LiveRoom = (typeof liveRooms)[number]
