import type { EventFacts, EventName } from './event-facts.ts'
import type { NotificationKind } from './notification-kinds.ts'
import type { Place } from './place.ts'
import type { NotificationType } from './rules.ts'
import { type NotificationSentences, notificationSentences } from './texts.ts'

// The table of notifications, from which emails, pushes and reminders are derived.
// - `event-facts.ts` names the events and their facts; a name without a row here does not compile.
// - `texts.ts` has the sentences, `place.ts` the targets, `rules.ts` the visibility of types.
// - `notify(deps, tx, event, { facts, about })` is the server's only way to notify
// (`notifications/notify.ts`). It inserts notifications in the event's transaction and passes each
// recipient to `notifications/notify-by-email.ts`.
// - `notifications/resolved-notifications.ts` implements the rules of `resolvedWhen` as SQL conditions.

/** Recipients, by their part in the event. */
const audiences = [
  'SELLER',
  'BUYER',
  /** Everyone else whose request for the same car is pending. */
  'WAITING',
  /** Everyone else who has begun to buy the car and has no request, or a denied one. */
  'INTERESTED',
  /** The trade's owner. */
  'OWNER',
  /** The wholesaler whose offer this is about. */
  'OFFERER',
  /** All approved wholesalers. They share one notification, and each has their own read state. */
  'WHOLESALERS',
  'ADMINISTRATOR',
] as const
export type Audience = (typeof audiences)[number]

/**
 * `car`: the seller's page. `deal`: the buyer's purchase. `purchases`: the list of purchases, when
 * this one is over. `trade`: the owner's or the wholesalers' view. `trades`: their list, when this
 * one was deleted. `deliveries`: the administrator's list.
 */
type PlaceKind = Place['kind']

/**
 * Conditions that resolve a notification. A notification without a condition stays until it is
 * read.
 */
export type ResolveRule =
  /** The request is no longer pending, or its terms have changed. */
  | 'requestMoved'
  /** The buyer can no longer accept that proposal, or the seller has replaced it. */
  | 'proposalOver'
  /** The reader has seen the other party's messages. */
  | 'messagesSeen'
  /** The buyer has signed since, or is no longer the confirmed buyer. */
  | 'buyerActed'
  /** The seller has confirmed or signed since, or the buyer's signature no longer counts. */
  | 'sellerActed'
  /** The request is over, or the car is no longer promised to another buyer. */
  | 'waitOver'
  /** The trade has moved or was deleted, or its offer has expired. */
  | 'tradeMoved'
  /** The seller has answered, the offer has changed, or the car is reserved for another buyer. */
  | 'sellerAnswered'
  /** For a reminder: the seller no longer has to sign. */
  | 'sellerSigned'
  /** For a reminder: the buyer no longer has to sign. */
  | 'buyerSigned'
  /** The buyer has asked, or cannot. */
  | 'buyerAsked'
  /** The buyer has asked again or given up. */
  | 'denialOver'
  /** For a reminder: the dealer has reported something about the deal. */
  | 'dealerSpoke'

type CommonRule = {
  /**
   * The kind whose preference decides, or `needed`: for the account or by law, so it cannot be
   * switched off.
   */
  mail: NotificationKind | 'needed' | null
  /**
   * Sent to all active devices of the recipient. If `mail` names a kind, that kind's push
   * preference applies too.
   */
  push: boolean
  target: PlaceKind
  /** The party named in the sentence, whose name must be removed with their account. */
  names: 'SELLER' | 'BUYER' | null
  /** A turn on the deal or trade may begin here; reminders are counted from this event. */
  turn?: true
  /** Evaluated for the unread count, and again before an email or a push is sent. */
  resolvedWhen: ResolveRule | null
}
type BellRule<Facts> = CommonRule & {
  bell: NotificationType
  sentences: (facts: Facts, zone: string) => NotificationSentences
}
type SilentRule<Facts> = CommonRule & {
  bell: null
  sentences: (facts: Facts, zone: string) => { message: string }
}
/** Notifications of one event to one kind of recipient. */
export type RecipientRule<Facts> = BellRule<Facts> | SilentRule<Facts>

export type SubjectKind = 'car' | 'deal' | 'trade' | 'delivery'
type Row<Facts> = { [A in Audience]?: RecipientRule<Facts> }

/** Defaults of most rows: pushed, naming nobody, shown until read. */
const pushed = { push: true, names: null, resolvedWhen: null } as const
const silent = { ...pushed, bell: null } as const
/** By email only: an administrator has neither notifications nor devices. */
const toAdministrator = { ...silent, push: false, mail: 'needed', target: 'deliveries' } as const

/** For both parties: each gets the type of the other's signature and a link to their own page. */
const toSeller = { ...pushed, bell: 'Buyer_Agreement', target: 'car' } as const
const toBuyer = { ...pushed, bell: 'Seller_Agreement', target: 'deal' } as const
const toBoth = <Facts>(
  mail: NotificationKind | 'needed',
  sentences: (facts: Facts) => NotificationSentences,
) => ({
  SELLER: { ...toSeller, mail, sentences },
  BUYER: { ...toBuyer, mail, sentences },
})
/** Like `toSeller` and `toBuyer`, but without a notification in the app. */
const mailToSeller = { ...silent, target: 'car' } as const
const mailToBuyer = { ...silent, target: 'deal' } as const
const mailOnTrade = { ...silent, target: 'trade' } as const
const offered = {
  ...toSeller,
  bell: 'Buyer_Offer',
  mail: 'requests',
  names: 'BUYER',
  turn: true,
  resolvedWhen: 'requestMoved',
} as const
const buyersTurn = { ...toBuyer, turn: true, names: 'SELLER', resolvedWhen: 'buyerActed' } as const
/** Another sale is off, so the other buyers can get the car again. */
const freeAgain = {
  WAITING: {
    ...toBuyer,
    mail: 'answers',
    sentences: notificationSentences.freeAgain,
    turn: true,
    resolvedWhen: 'sellerAnswered',
  },
  INTERESTED: {
    ...toBuyer,
    mail: 'answers',
    sentences: notificationSentences.freeToAsk,
    turn: true,
    resolvedWhen: 'buyerAsked',
  },
} as const
const denied = { ...toBuyer, mail: 'answers', turn: true, resolvedWhen: 'denialOver' } as const
const ofTrade = { ...pushed, target: 'trade', resolvedWhen: 'tradeMoved' } as const
const toOwner = { ...ofTrade, bell: 'TRADE_OFFERED', mail: 'offers' } as const
const toOfferer = { ...ofTrade, bell: 'Buyer_Offer', mail: 'ownOffers' } as const

/** Email only: the notification already exists. */
const remindSeller = { ...mailToSeller, mail: 'reminders', names: 'BUYER' } as const
const remindBuyer = { ...mailToBuyer, mail: 'reminders' } as const
const remindOfTrade = { ...mailOnTrade, mail: 'reminders', resolvedWhen: 'tradeMoved' } as const

const aboutCars = {
  // The change may have voided a signature.
  carChanged: {
    WAITING: { ...mailToBuyer, mail: 'needed', sentences: notificationSentences.carChanged, turn: true },
  },
  listingRemoved: {
    WAITING: {
      ...silent,
      mail: 'answers',
      sentences: notificationSentences.listingRemoved,
      target: 'purchases',
    },
  },
} as const

const aboutDeals = {
  requestReceived: { SELLER: { ...offered, sentences: notificationSentences.requestReceived } },
  requestChanged: { SELLER: { ...offered, sentences: notificationSentences.requestChanged } },
  requestWithdrawn: {
    SELLER: {
      ...mailToSeller,
      mail: 'requests',
      sentences: notificationSentences.requestWithdrawn,
      names: 'BUYER',
    },
    ...freeAgain,
  },
  requestConfirmed: {
    BUYER: { ...buyersTurn, mail: 'answers', sentences: notificationSentences.requestConfirmed },
    WAITING: {
      ...toBuyer,
      mail: 'answers',
      sentences: notificationSentences.promisedElsewhere,
      resolvedWhen: 'waitOver',
    },
  },
  requestDenied: { BUYER: { ...denied, sentences: notificationSentences.requestDenied } },
  requestReleased: { BUYER: { ...denied, sentences: notificationSentences.requestReleased }, ...freeAgain },
  priceChanged: {
    BUYER: {
      ...toBuyer,
      bell: 'PRICE_UPDATED',
      mail: 'answers',
      sentences: notificationSentences.priceChanged,
      resolvedWhen: 'requestMoved',
    },
  },
  priceProposed: {
    BUYER: {
      ...toBuyer,
      bell: 'PRICE_UPDATED',
      mail: 'answers',
      sentences: notificationSentences.priceProposed,
      names: 'SELLER',
      turn: true,
      resolvedWhen: 'proposalOver',
    },
  },
  proposalAccepted: { SELLER: { ...offered, sentences: notificationSentences.proposalAccepted } },
  proposalDeclined: { SELLER: { ...offered, sentences: notificationSentences.proposalDeclined } },
  tradeInRemoved: {
    SELLER: {
      ...mailToSeller,
      mail: 'needed',
      sentences: notificationSentences.tradeInRemoved,
      turn: true,
      names: 'BUYER',
    },
  },

  buyerWrote: {
    SELLER: {
      ...toSeller,
      mail: 'messages',
      sentences: notificationSentences.buyerWrote,
      names: 'BUYER',
      resolvedWhen: 'messagesSeen',
    },
  },
  sellerWrote: {
    BUYER: {
      ...toBuyer,
      mail: 'messages',
      sentences: notificationSentences.sellerWrote,
      names: 'SELLER',
      resolvedWhen: 'messagesSeen',
    },
  },

  sellerSigned: { BUYER: { ...buyersTurn, mail: 'signing', sentences: notificationSentences.sellerSigned } },
  buyerSigned: {
    SELLER: {
      ...toSeller,
      mail: 'signing',
      sentences: notificationSentences.buyerSigned,
      turn: true,
      names: 'BUYER',
      resolvedWhen: 'sellerActed',
    },
  },
  holdEndsSoon: {
    BUYER: {
      ...toBuyer,
      mail: 'signing',
      sentences: notificationSentences.holdEndsSoon,
      resolvedWhen: 'buyerActed',
    },
  },
  holdEnded: {
    SELLER: { ...mailToSeller, mail: 'needed', sentences: notificationSentences.holdEnded, turn: true },
    BUYER: { ...mailToBuyer, mail: 'needed', sentences: notificationSentences.holdEnded },
    ...freeAgain,
  },
  // Includes the agreement, which both must receive.
  bothSigned: {
    SELLER: { ...mailToSeller, mail: 'needed', sentences: notificationSentences.bothSigned, turn: true },
    BUYER: { ...mailToBuyer, mail: 'needed', sentences: notificationSentences.bothSigned },
  },

  dealerAccepted: toBoth('dealer', notificationSentences.dealerAccepted),
  documentNeeded: toBoth('dealer', notificationSentences.documentNeeded),
  appointmentMade: toBoth('dealer', notificationSentences.appointmentMade),
  sellerPaid: {
    SELLER: { ...toSeller, mail: 'dealer', sentences: notificationSentences.ownPayment },
    BUYER: { ...toBuyer, mail: 'dealer', sentences: notificationSentences.sellerPaid },
  },
  titleReceived: toBoth('dealer', notificationSentences.titleReceived),
  saleCompleted: {
    ...toBoth('dealer', notificationSentences.saleCompleted),
    WAITING: { ...toBuyer, mail: 'answers', sentences: notificationSentences.soldElsewhere },
    INTERESTED: {
      ...toBuyer,
      mail: 'answers',
      sentences: notificationSentences.soldToAnother,
      target: 'purchases',
    },
  },
  // The signed agreement is no longer valid.
  saleCalledOff: { ...toBoth('needed', notificationSentences.saleCalledOff), ...freeAgain },

  // Only the other party is notified; the suspended person gets an email about the account.
  sellerSuspended: { BUYER: { ...toBuyer, mail: 'needed', sentences: notificationSentences.dealPaused } },
  buyerSuspended: { SELLER: { ...toSeller, mail: 'needed', sentences: notificationSentences.dealPaused } },
  sellerRestored: {
    BUYER: { ...toBuyer, mail: 'needed', sentences: notificationSentences.dealResumed, turn: true },
  },
  buyerRestored: {
    SELLER: { ...toSeller, mail: 'needed', sentences: notificationSentences.dealResumed, turn: true },
  },

  requestUnanswered: {
    SELLER: {
      ...remindSeller,
      sentences: notificationSentences.requestUnanswered,
      resolvedWhen: 'sellerAnswered',
    },
  },
  proposalUnanswered: {
    BUYER: {
      ...remindBuyer,
      sentences: notificationSentences.proposalUnanswered,
      names: 'SELLER',
      resolvedWhen: 'proposalOver',
    },
  },
  sellerUnsigned: {
    SELLER: {
      ...remindSeller,
      sentences: notificationSentences.sellerUnsigned,
      resolvedWhen: 'sellerSigned',
    },
  },
  buyerUnsigned: {
    BUYER: {
      ...remindBuyer,
      sentences: notificationSentences.buyerUnsigned,
      names: 'SELLER',
      resolvedWhen: 'buyerSigned',
    },
  },
  refusalUnanswered: {
    BUYER: { ...remindBuyer, sentences: notificationSentences.refusalUnanswered, resolvedWhen: 'buyerAsked' },
  },
} as const

const aboutTrades = {
  tradeAdded: {
    WHOLESALERS: {
      ...ofTrade,
      bell: 'Buyer_Offer',
      mail: 'newTrades',
      sentences: notificationSentences.tradeAdded,
      turn: true,
    },
  },
  tradeReopened: {
    WHOLESALERS: {
      ...ofTrade,
      bell: 'Buyer_Offer',
      mail: null,
      push: false,
      sentences: notificationSentences.tradeReopened,
      turn: true,
    },
  },
  tradeOffered: { OWNER: { ...toOwner, sentences: notificationSentences.tradeOffered, turn: true } },
  counterOffered: {
    OFFERER: { ...toOfferer, sentences: notificationSentences.counterOffered, turn: true },
  },
  offerAccepted: {
    OFFERER: { ...mailOnTrade, mail: 'ownOffers', sentences: notificationSentences.offerAccepted },
  },
  offerRejected: {
    OFFERER: { ...mailOnTrade, mail: 'ownOffers', sentences: notificationSentences.offerRejected },
  },
  offerEndsSoon: { OWNER: { ...toOwner, sentences: notificationSentences.offerEndsSoon } },
  offerEnded: {
    OWNER: { ...toOwner, sentences: notificationSentences.offerEnded },
    OFFERER: { ...mailOnTrade, mail: 'ownOffers', sentences: notificationSentences.ownOfferEnded },
  },
  tradeDeleted: {
    OFFERER: {
      ...toOfferer,
      sentences: notificationSentences.tradeDeleted,
      target: 'trades',
      resolvedWhen: null,
    },
  },
  tradeUsed: { OFFERER: { ...toOfferer, sentences: notificationSentences.tradeUsed, resolvedWhen: null } },
  offerWithdrawn: { OWNER: { ...toOwner, sentences: notificationSentences.offerWithdrawn } },

  offerUnanswered: { OWNER: { ...remindOfTrade, sentences: notificationSentences.offerUnanswered } },
  counterUnanswered: { OFFERER: { ...remindOfTrade, sentences: notificationSentences.counterUnanswered } },
  tradeUnanswered: { WHOLESALERS: { ...remindOfTrade, sentences: notificationSentences.tradeUnanswered } },
} as const

const aboutDeliveries = {
  dealUnanswered: {
    ADMINISTRATOR: {
      ...toAdministrator,
      sentences: notificationSentences.dealUnanswered,
      resolvedWhen: 'dealerSpoke',
    },
  },
  deliveryParked: { ADMINISTRATOR: { ...toAdministrator, sentences: notificationSentences.deliveryParked } },
} as const

const events = {
  ...aboutCars,
  ...aboutDeals,
  ...aboutTrades,
  ...aboutDeliveries,
} as const satisfies { [Event in EventName]: Row<EventFacts[Event]> }

type Events = typeof events
export const eventNames = Object.keys(events) as EventName[]
export type AudienceOf<Event extends EventName> = keyof Events[Event] & Audience
export type SubjectOf<Event extends EventName> = Event extends keyof typeof aboutCars
  ? 'car'
  : Event extends keyof typeof aboutTrades
    ? 'trade'
    : Event extends keyof typeof aboutDeliveries
      ? 'delivery'
      : 'deal'

/** Returns the row of an event, typed with the fields that all rows share. */
const rowOf = <Event extends EventName>(event: Event): Row<EventFacts[Event]> =>
  events[event] as Row<EventFacts[Event]>

/** Returns one recipient kind's row of an event; null for an event unknown to this version. */
export const recipientRule = (event: EventName, audience: Audience) => rowOf(event)?.[audience] ?? null

/** Returns all recipient kinds of an event with their rows. */
export const recipientRules = <Event extends EventName>(
  event: Event,
): { audience: Audience; line: RecipientRule<EventFacts[Event]> }[] => {
  const row = rowOf(event)
  return audiences.flatMap((audience) => {
    const line = row[audience]
    return line ? [{ audience, line }] : []
  })
}
