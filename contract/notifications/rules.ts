/** Stored and sent in exactly this mixed case (R-notifications-1). */
export const notificationTypes = [
  'TRADE_OFFERED',
  'PRICE_UPDATED',
  'Seller_Agreement',
  'Buyer_Offer',
  'Buyer_Agreement',
] as const
export type NotificationType = (typeof notificationTypes)[number]

/** `addressee` reads their own notifications; an approved `wholesaler` reads about all trades. */
export type NotificationReader = 'addressee' | 'wholesaler'

/** Types that a wholesaler reads about all trades (R-notifications-3). */
const isForWholesalers: Record<NotificationType, boolean> = {
  TRADE_OFFERED: false,
  PRICE_UPDATED: true,
  Seller_Agreement: true,
  Buyer_Offer: true,
  Buyer_Agreement: true,
}

/**
 * Returns whether a reader sees a type. A person may both buy and sell, so the addressee sees every
 * type (R-notifications-2).
 */
export const canSeeType = (reader: NotificationReader, type: NotificationType): boolean =>
  reader === 'addressee' || isForWholesalers[type]

/** Unread notifications are counted among a reader's newest hundred. */
export const bellDepth = 100

/** Interval at which a tab reports a viewer; presence expires after twice as long (R-deals-82). */
export const presenceIntervalMs = 7_000
export const presenceTtlMs = 2 * presenceIntervalMs + 1_000

/** A standby that is read shows every change that is older, because it is at most a second behind. */
export const maxStandbyAgeMs = 2_000

/**
 * A server event names the changed modules, and the page refetches its cached data of those
 * modules.
 */
export const serverEventModules = ['notifications', 'accounts', 'cars', 'trades', 'deals'] as const
export type ServerEventModule = (typeof serverEventModules)[number]
