import { endSentence } from '../shared/texts.ts'

/** Why an administrator suspends an account; stored exactly like this. */
export const suspensionReasons = ['FALSE_LISTING', 'FRAUD', 'ABUSE', 'IDENTITY', 'OTHER'] as const
export type SuspensionReason = (typeof suspensionReasons)[number]

export const reasonSentences: Record<SuspensionReason, string> = {
  FALSE_LISTING: 'One of your listings appears to be for a car that you do not have the right to sell.',
  FRAUD: 'We suspect that your account was used for fraud.',
  ABUSE: 'Other users reported messages from you.',
  IDENTITY: 'We could not confirm that this account belongs to the person it names.',
  OTHER: 'Your account was used in a way that our terms of service do not allow.',
}

export type SuspensionFacts = { reason: SuspensionReason; note: string | null; writeTo: string }

/** Everything that a suspended person reads when signing in: why, and whom to write to (R-accounts-61). */
export const suspendedSentence = ({ reason, note, writeTo }: SuspensionFacts): string =>
  [`${suspensionTexts.page.title}.`, reasonSentences[reason], note, askSentence(writeTo)]
    .filter(Boolean)
    .join(' ')

/** `writeTo` is an email address or a postal address. */
export const askSentence = (writeTo: string): string =>
  `If you think this is a mistake, write to ${endSentence(writeTo)}`

/** The notice on a deal whose other party is suspended; it does not say which account or why. */
export const pausedSentence = (writeTo: string | null): string =>
  [
    'This deal is paused. Nothing is lost, and we will let you know when it resumes.',
    writeTo && `Questions? Write to ${endSentence(writeTo)}`,
  ]
    .filter(Boolean)
    .join(' ')

export const suspensionTexts = {
  /** The page at which a suspended person's open pages end. */
  page: {
    title: 'Your account is suspended',
    listings: 'Your listings are hidden, and your deals are paused.',
    agreements: 'Agreements that both sides signed stay valid. The links in our emails still open them.',
    logIn: 'Go To Log In',
  },
  paused: {
    turn: 'This deal is paused.',
    row: 'Paused',
    messages: 'You cannot send messages while this deal is paused.',
    /** To the owner of a trade, whose wholesaler is suspended. */
    offer: 'This offer is paused. You can reject it, but not accept or counter it for now.',
    counter: 'Your counter offer is paused. You can wait or forfeit it.',
    /** To a wholesaler. */
    trade: 'No offers or answers are possible for now.',
    tradeTurn: 'This trade-in is paused.',
  },
  people: {
    tab: 'People',
    title: 'Find a person',
    label: 'Name, email or ID',
    hint: 'Enter the beginning of a name, or a complete email address or ID.',
    fault: 'Enter a name, an email address or an ID.',
    submit: 'Find',
    none: 'Nobody was found.',
    failed: 'The search failed. Please try again.',
    limited: (count: number) => `Only ${count} people are shown. Enter more of the name.`,
    list: 'People found',
    columns: { name: 'Name', email: 'Email', type: 'Type', state: 'State', since: 'Joined' },
    active: 'Active',
    suspended: 'Suspended',
    deleted: 'Deleted',
    unverified: 'Not verified',
    types: { BUYER: 'Buyer', SELLER: 'Seller', WHOLESALER: 'Wholesaler' },
    open: (name: string) => `Open ${name}`.trim(),
    action: 'Action',
    openSender: 'Open the sender',
    openSenderOf: (name: string) => `Open the sender, ${name}`,
    openSeller: 'Open the seller',
    openSellerOf: (name: string) => `Open the seller, ${name}`,
  },
  person: {
    failed: 'This person could not be loaded. Please try again.',
    back: 'Back To All Lists',
    account: 'Account',
    phone: 'Phone',
    created: 'Created',
    id: 'ID',
    sessions: 'Sessions',
    noSessions: 'Not signed in on any device.',
    signedIn: (date: string | null) =>
      date === null ? 'Signed in with a link from an email' : `Signed in on ${date}`,
    listings: 'Listings',
    noListings: 'No listings.',
    deals: 'Open deals',
    noDeals: 'No open deals.',
    selling: (buyer: string) => `Sells to ${buyer}`,
    buying: (seller: string) => `Buys from ${seller}`,
    signed: 'Both have signed',
    history: 'Suspensions',
    noHistory: 'Never suspended.',
    suspendedOn: (date: string, by: string) => `Suspended on ${date} by ${by}`,
    liftedOn: (date: string, by: string) => `Lifted on ${date} by ${by}`,
    isSuspended: 'This account is suspended.',
    suspend: 'Suspend Account',
    lift: 'Lift Suspension',
    endSessions: 'End Sessions',
    ended: 'The sessions have ended.',
    wasSuspended: 'The account is suspended.',
    wasLifted: 'The suspension is lifted.',
  },
  suspend: {
    title: 'Suspend This Account',
    lead: 'The person is signed out, and their access tokens are revoked. Until you lift the suspension, their listings are hidden and their deals are paused. We email them the reason.',
    reason: 'Reason',
    reasonMissing: 'Please choose a reason.',
    reasons: {
      FALSE_LISTING: 'False listing',
      FRAUD: 'Suspected fraud',
      ABUSE: 'Abusive messages',
      IDENTITY: 'Not the person named',
      OTHER: 'Other',
    } satisfies Record<SuspensionReason, string>,
    note: 'Message to the person',
    noteHint: 'Shown below the reason. One or two sentences are enough.',
    noteMissing: 'Please tell the person why.',
    noteLong: 'Please keep this to 1,000 characters.',
    submit: 'Suspend',
    cancel: 'Cancel',
    failed: 'The account could not be suspended. Please try again.',
  },
  liftDialog: {
    question:
      'Their listings appear again, and their deals resume. Access tokens stay revoked. We email the person.',
    submit: 'Lift',
    failed: 'The suspension could not be lifted. Please try again.',
  },
  endDialog: {
    question:
      'The person is signed out on every device and can sign in again. Their access tokens are revoked.',
    submit: 'End Sessions',
    failed: 'The sessions could not be ended. Please try again.',
  },
  email: {
    listings: 'Your listings are hidden, and your deals and offers are paused.',
    agreements: 'Agreements that both sides signed stay valid, and the links in our emails still open them.',
  },
} as const
