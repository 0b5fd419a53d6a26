/**
 * How the rows of many machines would be divided (docs/scale.md): by the first characters of a person's id, with which the ids of all that is theirs
 * would begin. The columns named here are those that carry such an id, so whoever knows one of them knows where the row lies.
 */
export const splitTables = {
  // A sale is its seller's.
  cars: ['id', 'seller_id'],
  deals: ['id', 'car_id', 'seller_id', 'package_id'],
  deal_events: ['deal_id'],
  deal_photos: ['deal_id'],
  deal_trades: ['deal_id'],
  deal_messages: ['id', 'deal_id'],
  messages_seen: ['deal_id'],
  message_reports: ['message_id'],
  signatures: ['id', 'deal_id'],
  packages: ['id', 'deal_id'],
  agreement_pdfs: ['package_id'],
  deliveries: ['id', 'deal_id'],
  delivery_tries: ['delivery_id'],
  partner_calls: ['package_id'],
  desk_deals: ['package_id'],
  trades: ['id', 'owner_id'],
  trade_events: ['trade_id'],
  // Of what is found by a hash, what was hashed would begin as the person's id does.
  sessions: ['id', 'user_id'],
  refresh_tokens: ['hash', 'session_id', 'parent_hash'],
  access_tokens: ['hash', 'session_id'],
  email_codes: ['hash', 'user_id'],
  known_networks: ['owner'],
  account_events: ['user_id'],
  consents: ['person_id'],
  notifications: ['id', 'recipient_id'],
  notification_reads: ['user_id'],
  notification_marks: ['user_id'],
  switched_off: ['user_id'],
  push_devices: ['id', 'user_id', 'session_id'],
  pushes: ['device_id'],
  mails: ['id', 'user_id'],
  mail_bounces: ['user_id'],
  idempotency_keys: ['owner'],
  evidence_tallies: ['about'],
  // By what they are found by: they belong to nobody.
  pictures: ['id'],
  throttles: ['bucket'],
  vin_answers: ['vin'],
} as const satisfies Record<string, readonly string[]>

/** Read everywhere and seldom written: every machine has them whole. */
export const copiedTables = [
  'users',
  'dealers',
  'dealer_areas',
  'seal_certificates',
  'log_keys',
  'server_keys',
  'outgoing_stops',
  'migrations',
] as const

/** In one place: what has one order, or is few people's. */
export const wholeTables = [
  'log_leaves',
  'log_nodes',
  'log_heads',
  'jobs',
  'admin_sessions',
  'admin_refresh_tokens',
  'admin_access_tokens',
  'deal_counts',
  'backups',
] as const

/** Statements that no key leads to one machine, and what would be done about them. */
export const crossing: readonly { because: string; statements: readonly string[] }[] = [
  {
    because:
      'A VIN stands on one live listing of all: a table by VIN, entered with each listing, would say whose.',
    statements: ['live-listing', 'lock-live-car'],
  },
  {
    because:
      "A buyer's purchases lie with their sellers: a table by buyer, written with each purchase, would say with whom.",
    statements: ['cars-due-of', 'deals-of-buyer', 'lock-cars-of-person', 'own-deal'],
  },
  {
    because:
      "A trade lies with its owner, what it was offered for with a seller: a column of the trade's own would say with whom.",
    statements: [
      'attached-trades',
      'available-trades',
      'deal-of-trade',
      'deal-view',
      'deal-view-called-off',
      'deal-view-intended',
      'deal-view-lost',
      'deal-view-of-buyer',
      'deal-views-on-car',
      'detach-trade',
      'lock-cars-of-trade',
      'promised-trade',
      'requests',
      'trades-of-deal',
      'trades-on-car',
      'uncheck-trade',
    ],
  },
  {
    because: 'What a person is told of lies with somebody else, and its id says with whom.',
    statements: [
      'count-unread-addressee',
      'done-mails',
      'find-notification-addressee',
      'find-notification-wholesaler',
      'find-push',
      'list-notifications-addressee',
      'list-notifications-wholesaler',
    ],
  },
  {
    because: 'The market is of all: each machine gives the first of its index, and they are merged.',
    statements: ['count-unread-wholesaler', 'trades-page', 'trades-page-by-status'],
  },
  {
    because: 'What is due is asked of each machine by jobs of its own.',
    statements: ['cars-due', 'lock-next-to-sweep', 'offer-due', 'untold-ends-of-offers'],
  },
  {
    because: 'An administrator looks over all, a few times a day.',
    statements: ['count-unsent-mails', 'dealers', 'reports', 'unsent-mails'],
  },
  {
    because: 'An account is erased once: each machine is asked.',
    statements: [
      'drop-names',
      'forget-reasons',
      'forget-texts',
      'lock-deals-with-messages',
      'take-back-offers-of',
    ],
  },
  {
    because: 'An endpoint belongs to one device of all: each machine is asked, when a device is added.',
    statements: ['delete-other-devices'],
  },
  {
    because:
      "A dealer's repeated call is known by its own id: with the package's, which each call names, it would be known where that lies.",
    statements: ['partner-call'],
  },
]

/** Unique keys that no machine alone can hold. */
export const uniqueAcross: Record<string, string> = {
  one_live_listing_per_vin: 'The table by VIN holds it.',
  one_device_per_endpoint:
    'An endpoint names a browser with a random text; two persons at one browser are told apart when the second signs in.',
  mails_message_id_key: 'It is made of the id, which is unique.',
  deal_trades_pkey:
    'The column of the trade that says where it is promised holds it, under the lock of the trade.',
  partner_calls_pkey: 'With the package in it each machine holds its own.',
  account_events_pkey: 'A number of a sequence: with the person in front.',
  consents_pkey: 'A number of a sequence: with the person in front.',
  deal_events_pkey: 'A number of a sequence: with the deal in front.',
  trade_events_pkey: 'A number of a sequence: with the trade in front.',
}

/** Foreign keys between rows of two machines. */
export const referencesAcross: Record<string, string> = {
  deal_photos_picture_id_fkey:
    'The name of a picture is its digest; the sweep asks before it takes one away.',
  deal_trades_trade_id_fkey: 'Trades are never deleted, and the one who attaches it holds its lock.',
  mails_joined_into_fkey: "Mails of one person are joined: the column beside it is the person's.",
  notification_reads_notification_id_fkey: 'A wholesaler reads notices of others; notices are never deleted.',
}
