/** Kinds of notifications that can be switched off, each by channel. */
export const notificationKinds = [
  'requests',
  /** Results of the recipient's own request for a car. */
  'answers',
  /** Messages from the other party of a deal. */
  'messages',
  /** Signatures and the 72-hour hold. */
  'signing',
  /** The dealer's steps until the sale is complete. */
  'dealer',
  'offers',
  /** Results of the recipient's own offer. */
  'ownOffers',
  'newTrades',
  /** Reminders of something that waits for the recipient. */
  'reminders',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Channels that can be switched off; notifications in the app are always on. */
export const channels = ['mail', 'push'] as const
export type Channel = (typeof channels)[number]

/** Returns the kinds for a wholesaler, or for buyers and sellers; reminders are for both. */
export const notificationKindsFor = (isWholesaler: boolean): readonly NotificationKind[] =>
  notificationKinds.filter(
    (kind) => kind === 'reminders' || (kind === 'ownOffers' || kind === 'newTrades') === isWholesaler,
  )
