import type { EventFacts, EventName } from './facts.ts'
import type { NotificationKind } from './kinds.ts'
import type { Place } from './places.ts'
import type { NotificationType } from './rules.ts'
import { notificationSentences, type Says } from './texts.ts'

// The table of notifications: emails, pushes and reminders are derived from it too.
// - `facts.ts` names the events and their facts; a name without a row here does not compile.
// - `texts.ts` has the sentences, `places.ts` the targets, `rules.ts` the visibility of types.
// - `notify(deps, tx, event, { facts, about })` is the server's only way to notify
// (`notifications/notify.ts`). It inserts notifications in the event's transaction and passes each
// recipient to `notifications/notify-by-email.ts`.
// - `notifications/resolved.ts` implements the rules of `doneWhen` as SQL conditions.

/** Recipients, by their part in the event. */
const audiences = [
  'SELLER',
  'BUYER',
  /** Everyone else whose request for the same car is pending. */
  'WAITING',
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
 * this one is over. `trade`: the owner's or the wholesalers' view.
 */
type PlaceKind = Place['kind']

/** Conditions that resolve a notification. Without one it stays until it is read. */
export type DoneRule =
  /** The request is no longer pending, or its terms have changed. */
  | 'requestMoved'
  /** The reader has seen the other party's messages. */
  | 'messagesSeen'
  /** The buyer has signed the current terms, or is no longer the confirmed buyer. */
  | 'buyerActed'
  /** The seller has signed too, or the buyer's signature no longer counts. */
  | 'sellerActed'
  /** The request is over, or the car is no longer promised to another buyer. */
  | 'waitOver'
  /** The trade has moved or was deleted, or its offer has expired. */
  | 'tradeMoved'
  /** For a reminder: the seller no longer has to answer, or the offer has changed. */
  | 'sellerAnswered'
  /** For a reminder: the seller no longer has to sign. */
  | 'sellerSigned'
  /** For a reminder: the buyer no longer has to sign. */
  | 'buyerSigned'
  /** For a reminder: the buyer has asked again, or cannot. */
  | 'buyerAsked'
  /** For a reminder: the dealer has reported something about the deal. */
  | 'dealerSpoke'

type AnyLine = {
  /**
   * The kind whose preference decides, or `needed`: for the account or by law, so it cannot be
   * switched off.
   */
  mail: NotificationKind | 'needed' | null
  /**
   * Sent to all of their active devices. If `mail` names a kind, that kind's push preference
   * applies too.
   */
  push: boolean
  leads: PlaceKind
  /** The party named in the sentence, whose name must be removed with their account. */
  names: 'SELLER' | 'BUYER' | null
  /** A turn on that deal or trade may begin here; reminders are counted from this event. */
  turn?: true
  /** Evaluated for the unread count, and again before an email or a push is sent. */
  doneWhen: DoneRule | null
}
type Ringing<Facts> = AnyLine & {
  bell: NotificationType
  says: (facts: Facts) => Says
}
type Silent<Facts> = AnyLine & { bell: null; says: (facts: Facts) => { message: string } }
/** Notifications of one event to one kind of recipient. */
export type Line<Facts> = Ringing<Facts> | Silent<Facts>

/** Subject of an event. */
export type SubjectKind = 'car' | 'deal' | 'trade' | 'delivery'
type Row<Facts> = { [A in Audience]?: Line<Facts> }

/** Defaults of most rows: pushed, naming nobody, shown until read. */
const pushed = { push: true, names: null, doneWhen: null } as const
const silent = { ...pushed, bell: null } as const
/** By email only: an administrator has neither notifications nor devices. */
const toAdministrator = { ...silent, push: false, mail: 'needed', leads: 'deliveries' } as const

/**
 * To both parties of a deal: each gets the type of the other's signature and a link to their own
 * page.
 */
const toSeller = { ...pushed, bell: 'Buyer_Agreement', leads: 'car' } as const
const toBuyer = { ...pushed, bell: 'Seller_Agreement', leads: 'deal' } as const
const toBoth = <Facts>(mail: NotificationKind | 'needed', says: (facts: Facts) => Says) => ({
  SELLER: { ...toSeller, mail, says },
  BUYER: { ...toBuyer, mail, says },
})
/** The same without a notification in the app. */
const mailToSeller = { ...silent, leads: 'car' } as const
const mailToBuyer = { ...silent, leads: 'deal' } as const
const mailOnTrade = { ...silent, leads: 'trade' } as const
const offered = {
  ...toSeller,
  bell: 'Buyer_Offer',
  mail: 'requests',
  names: 'BUYER',
  turn: true,
  doneWhen: 'requestMoved',
} as const
const buyersTurn = { ...toBuyer, turn: true, names: 'SELLER', doneWhen: 'buyerActed' } as const
/** Another sale is off, so waiting buyers can get the car again. */
const freeAgain = {
  ...mailToBuyer,
  mail: 'answers',
  says: notificationSentences.freeAgain,
  turn: true,
} as const
const ofTrade = { ...pushed, leads: 'trade', doneWhen: 'tradeMoved' } as const
const toOwner = { ...ofTrade, bell: 'TRADE_OFFERED', mail: 'offers' } as const

/** Email only: the notification already exists. */
const remindSeller = { ...mailToSeller, mail: 'reminders', names: 'BUYER' } as const
const remindBuyer = { ...mailToBuyer, mail: 'reminders' } as const
const remindOfTrade = { ...mailOnTrade, mail: 'reminders', doneWhen: 'tradeMoved' } as const

const aboutCars = {
  // The change may have voided a signature.
  carChanged: {
    WAITING: { ...mailToBuyer, mail: 'needed', says: notificationSentences.carChanged, turn: true },
  },
  listingRemoved: {
    WAITING: { ...silent, mail: 'answers', says: notificationSentences.listingRemoved, leads: 'purchases' },
  },
} as const

const aboutDeals = {
  requestReceived: { SELLER: { ...offered, says: notificationSentences.requestReceived } },
  requestChanged: { SELLER: { ...offered, says: notificationSentences.requestChanged } },
  requestWithdrawn: {
    SELLER: {
      ...mailToSeller,
      mail: 'requests',
      says: notificationSentences.requestWithdrawn,
      names: 'BUYER',
    },
    WAITING: freeAgain,
  },
  requestConfirmed: {
    BUYER: { ...buyersTurn, mail: 'answers', says: notificationSentences.requestConfirmed },
    WAITING: {
      ...toBuyer,
      mail: 'answers',
      says: notificationSentences.promisedElsewhere,
      doneWhen: 'waitOver',
    },
  },
  requestDenied: {
    BUYER: { ...mailToBuyer, mail: 'answers', says: notificationSentences.requestDenied, turn: true },
  },
  requestReleased: {
    BUYER: { ...mailToBuyer, mail: 'answers', says: notificationSentences.requestReleased, turn: true },
    WAITING: freeAgain,
  },
  priceChanged: {
    BUYER: {
      ...toBuyer,
      bell: 'PRICE_UPDATED',
      mail: 'answers',
      says: notificationSentences.priceChanged,
      turn: true,
      doneWhen: 'requestMoved',
    },
  },
  tradeInRemoved: {
    SELLER: {
      ...mailToSeller,
      mail: 'needed',
      says: notificationSentences.tradeInRemoved,
      turn: true,
      names: 'BUYER',
    },
  },

  buyerWrote: {
    SELLER: {
      ...toSeller,
      mail: 'messages',
      says: notificationSentences.buyerWrote,
      names: 'BUYER',
      doneWhen: 'messagesSeen',
    },
  },
  sellerWrote: {
    BUYER: {
      ...toBuyer,
      mail: 'messages',
      says: notificationSentences.sellerWrote,
      names: 'SELLER',
      doneWhen: 'messagesSeen',
    },
  },

  sellerSigned: { BUYER: { ...buyersTurn, mail: 'signing', says: notificationSentences.sellerSigned } },
  buyerSigned: {
    SELLER: {
      ...toSeller,
      mail: 'signing',
      says: notificationSentences.buyerSigned,
      turn: true,
      names: 'BUYER',
      doneWhen: 'sellerActed',
    },
  },
  holdEndsSoon: {
    BUYER: { ...toBuyer, mail: 'signing', says: notificationSentences.holdEndsSoon, doneWhen: 'buyerActed' },
  },
  holdEnded: {
    SELLER: { ...mailToSeller, mail: 'needed', says: notificationSentences.holdEnded, turn: true },
    BUYER: { ...mailToBuyer, mail: 'needed', says: notificationSentences.holdEnded },
    WAITING: freeAgain,
  },
  // Includes the agreement, which both must receive.
  bothSigned: {
    SELLER: { ...mailToSeller, mail: 'needed', says: notificationSentences.bothSigned, turn: true },
    BUYER: { ...mailToBuyer, mail: 'needed', says: notificationSentences.bothSigned },
  },

  dealerAccepted: toBoth('dealer', notificationSentences.dealerAccepted),
  documentNeeded: toBoth('dealer', notificationSentences.documentNeeded),
  appointmentMade: toBoth('dealer', notificationSentences.appointmentMade),
  sellerPaid: {
    SELLER: { ...toSeller, mail: 'dealer', says: notificationSentences.ownPayment },
    BUYER: { ...toBuyer, mail: 'dealer', says: notificationSentences.sellerPaid },
  },
  titleReceived: toBoth('dealer', notificationSentences.titleReceived),
  saleCompleted: {
    ...toBoth('dealer', notificationSentences.saleCompleted),
    WAITING: { ...toBuyer, mail: 'answers', says: notificationSentences.soldElsewhere },
  },
  // The signed agreement is no longer valid.
  saleCalledOff: { ...toBoth('needed', notificationSentences.saleCalledOff), WAITING: freeAgain },

  requestUnanswered: {
    SELLER: { ...remindSeller, says: notificationSentences.requestUnanswered, doneWhen: 'sellerAnswered' },
  },
  sellerUnsigned: {
    SELLER: { ...remindSeller, says: notificationSentences.sellerUnsigned, doneWhen: 'sellerSigned' },
  },
  buyerUnsigned: {
    BUYER: {
      ...remindBuyer,
      says: notificationSentences.buyerUnsigned,
      names: 'SELLER',
      doneWhen: 'buyerSigned',
    },
  },
  refusalUnanswered: {
    BUYER: { ...remindBuyer, says: notificationSentences.refusalUnanswered, doneWhen: 'buyerAsked' },
  },
} as const

const aboutTrades = {
  tradeAdded: {
    WHOLESALERS: {
      ...ofTrade,
      bell: 'Buyer_Offer',
      mail: 'newTrades',
      says: notificationSentences.tradeAdded,
      turn: true,
    },
  },
  tradeReopened: {
    WHOLESALERS: {
      ...ofTrade,
      bell: 'Buyer_Offer',
      mail: null,
      push: false,
      says: notificationSentences.tradeReopened,
      turn: true,
    },
  },
  tradeOffered: { OWNER: { ...toOwner, says: notificationSentences.tradeOffered, turn: true } },
  counterOffered: {
    OFFERER: {
      ...ofTrade,
      bell: 'Buyer_Offer',
      mail: 'ownOffers',
      says: notificationSentences.counterOffered,
      turn: true,
    },
  },
  offerAccepted: {
    OFFERER: { ...mailOnTrade, mail: 'ownOffers', says: notificationSentences.offerAccepted },
  },
  offerRejected: {
    OFFERER: { ...mailOnTrade, mail: 'ownOffers', says: notificationSentences.offerRejected },
  },
  offerEndsSoon: { OWNER: { ...toOwner, says: notificationSentences.offerEndsSoon } },
  offerEnded: {
    OWNER: { ...toOwner, says: notificationSentences.offerEnded },
    OFFERER: { ...mailOnTrade, mail: 'ownOffers', says: notificationSentences.ownOfferEnded },
  },

  offerUnanswered: { OWNER: { ...remindOfTrade, says: notificationSentences.offerUnanswered } },
  counterUnanswered: { OFFERER: { ...remindOfTrade, says: notificationSentences.counterUnanswered } },
  tradeUnanswered: { WHOLESALERS: { ...remindOfTrade, says: notificationSentences.tradeUnanswered } },
} as const

const aboutDeliveries = {
  dealUnanswered: {
    ADMINISTRATOR: {
      ...toAdministrator,
      says: notificationSentences.dealUnanswered,
      doneWhen: 'dealerSpoke',
    },
  },
  deliveryParked: { ADMINISTRATOR: { ...toAdministrator, says: notificationSentences.deliveryParked } },
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
export const lineFor = (event: EventName, audience: Audience) => rowOf(event)?.[audience] ?? null

/** Returns all recipient kinds of an event with their rows. */
export const linesFor = <Event extends EventName>(
  event: Event,
): { audience: Audience; line: Line<EventFacts[Event]> }[] => {
  const row = rowOf(event)
  return audiences.flatMap((audience) => {
    const line = row[audience]
    return line ? [{ audience, line }] : []
  })
}
