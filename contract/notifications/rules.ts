/** Stored and sent in exactly this mixed case (R-notifications-1). */
export const notificationTypes = [
  'TRADE_OFFERED',
  'PRICE_UPDATED',
  'Seller_Agreement',
  'Buyer_Offer',
  'Buyer_Agreement',
] as const
export type NotificationType = (typeof notificationTypes)[number]

/** `addressee` reads what is addressed to them; `wholesaler`, an approved one, reads about everybody's trades. */
export type Reader = 'addressee' | 'wholesaler'

/** Which types a wholesaler reads about everybody's trades (R-notifications-3). */
const isForWholesalers: Record<NotificationType, boolean> = {
  TRADE_OFFERED: false,
  PRICE_UPDATED: true,
  Seller_Agreement: true,
  Buyer_Offer: true,
  Buyer_Agreement: true,
}

/**
 * Which reader sees which type. One person may both buy and sell and must not miss a step, so the addressee sees every
 * type, a buyer's as well as a seller's (R-notifications-2).
 */
export const seesType = (reader: Reader, type: NotificationType): boolean =>
  reader === 'addressee' || isForWholesalers[type]

/** The bell counts among the newest hundred that are for its reader, which is more than anyone reads there. */
export const bellDepth = 100

/** How often a tab says that it shows a deal; who was not heard of for twice as long is gone (R-deals-82). */
export const presenceEveryMs = 7_000
export const presenceTtlMs = 2 * presenceEveryMs + 1_000

/** A server event names the rooms that changed, and the page refetches what it holds of them. */
export const serverEventRooms = ['notifications', 'accounts', 'cars', 'trades', 'deals'] as const
export type ServerEventRoom = (typeof serverEventRooms)[number]
