/** What a person can switch off, each by channel. */
export const notificationKinds = [
  /** What buyers do with requests for a car of mine. */
  'requests',
  /** What becomes of my request for a car. */
  'answers',
  /** What the other side of a deal writes. */
  'messages',
  /** Signatures, and the 72 hours. */
  'signing',
  /** What the dealer says until the sale is complete. */
  'dealer',
  /** Offers for a car that I trade in. */
  'offers',
  /** What becomes of an offer that I made. */
  'ownOffers',
  /** Trades that wait for an offer. */
  'newTrades',
  /** That something still waits for me. */
  'reminders',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** The ways that can be switched off; the bell is always on. */
export const channels = ['mail', 'push'] as const
export type Channel = (typeof channels)[number]

/** What can happen to a wholesaler, and to anybody who buys or sells; to be reminded, to both. */
export const kindsOf = (isWholesaler: boolean): readonly NotificationKind[] =>
  notificationKinds.filter(
    (kind) => kind === 'reminders' || (kind === 'ownOffers' || kind === 'newTrades') === isWholesaler,
  )
