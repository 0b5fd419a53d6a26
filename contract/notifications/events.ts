import type { EventFacts, EventName } from './facts.ts'
import type { NotificationKind } from './kinds.ts'
import type { Place } from './places.ts'
import type { NotificationType } from './rules.ts'
import { notificationSentences, type Says } from './texts.ts'

// Who is told of what, and how: the one table that the bell, letters, pushes and reminders are made from.
//
// - `facts.ts` names the events and what each knows; a name without a row here does not compile.
// - `texts.ts` has the sentences, `places.ts` where they lead (`pageOf`), `rules.ts` who sees which type of the bell.
// - On the server, `notify(deps, tx, event, { facts, about })` is the only way to tell (`notifications/notify.ts`): in the
//   transaction of the event it rings the bells of the row, and hands every recipient with line, place and facts to
//   `notifications/notify-by-email.ts`, where the letters are made.
// - `notifications/resolved.ts` has the rules of `doneWhen` as conditions of a query.

/** Kinds of people, by their part in what has happened. */
const audiences = [
  'SELLER',
  'BUYER',
  /** Everyone else whose request for the same car is pending. */
  'WAITING',
  /** Whose trade it is. */
  'OWNER',
  /** The wholesaler who made the offer that this is about. */
  'OFFERER',
  /** All approved wholesalers. In the bell it is one notice, which each of them reads for themselves. */
  'WHOLESALERS',
  'ADMINISTRATOR',
] as const
export type Audience = (typeof audiences)[number]

/** `car`: the seller's page of the car. `deal`: the buyer's purchase. `purchases`: all of them, where this one is over. `trade`: its owner's or the
 * wholesalers' view of it. */
type PlaceKind = Place['kind']

/** States in which nobody has to know or do anything about it any more. What has none stays until it is read. */
export type DoneRule =
  /** The request is not pending any more, or its terms were changed since. */
  | 'requestMoved'
  /** Its reader has been shown what the other one wrote. */
  | 'messagesSeen'
  /** The buyer has signed what stands now, or is not the confirmed buyer any more. */
  | 'buyerActed'
  /** The seller has signed too, or the buyer's signature does not count any more. */
  | 'sellerActed'
  /** The request is over, or the car is not promised to another buyer any more. */
  | 'waitOver'
  /** The trade was moved since or deleted, or its offer has expired. */
  | 'tradeMoved'
  /** Of a reminder: it is not the seller's turn to answer any more, or there is another offer. */
  | 'sellerAnswered'
  /** Of a reminder: it is not the seller's turn to sign any more. */
  | 'sellerSigned'
  /** Of a reminder: it is not the buyer's turn to sign any more. */
  | 'buyerSigned'
  /** Of a reminder: the buyer has asked again, or cannot. */
  | 'buyerAsked'
  /** Of a reminder: the dealer has said something about the deal. */
  | 'dealerSpoke'

type AnyLine = {
  /** The kind whose switch decides, or `needed`: for the account or the law, so that nobody can switch it off. */
  mail: NotificationKind | 'needed' | null
  /** To all devices of theirs that are switched on; where it is by a kind's switch by mail, the same kind's by push decides, too. */
  push: boolean
  leads: PlaceKind
  /** Whom the sentence names, who may be gone some day. */
  names: 'SELLER' | 'BUYER' | null
  /** With this somebody's turn may begin on that deal or trade: the reminders are counted from here. */
  turn?: true
  /** Asked when it counts in the bell, and once more when a mail or a push leaves. */
  doneWhen: DoneRule | null
}
type Ringing<Facts> = AnyLine & {
  bell: NotificationType
  says: (facts: Facts) => Says
}
type Silent<Facts> = AnyLine & { bell: null; says: (facts: Facts) => { message: string } }
/** What one kind of people gets of one event. */
export type Line<Facts> = Ringing<Facts> | Silent<Facts>

/** What an event is about. */
export type SubjectKind = 'car' | 'deal' | 'trade' | 'delivery'
type Row<Facts> = { [A in Audience]?: Line<Facts> }

/** Most lines: pushed, naming nobody, and there until they are read. */
const pushed = { push: true, names: null, doneWhen: null } as const
const silent = { ...pushed, bell: null } as const
/** By mail alone: an administrator has neither bell nor devices. */
const toAdministrator = { ...silent, push: false, mail: 'needed', leads: 'deliveries' } as const

/** To the two of a deal, to each by the type of what the other one signed, and to each at their own page of it. */
const toSeller = { ...pushed, bell: 'Buyer_Agreement', leads: 'car' } as const
const toBuyer = { ...pushed, bell: 'Seller_Agreement', leads: 'deal' } as const
const toBoth = <Facts>(mail: NotificationKind | 'needed', says: (facts: Facts) => Says) => ({
  SELLER: { ...toSeller, mail, says },
  BUYER: { ...toBuyer, mail, says },
})
/** The same without a bell. */
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
/** Another sale is off: those who wait are in play again. */
const freeAgain = {
  ...mailToBuyer,
  mail: 'answers',
  says: notificationSentences.freeAgain,
  turn: true,
} as const
const ofTrade = { ...pushed, leads: 'trade', doneWhen: 'tradeMoved' } as const
const toOwner = { ...ofTrade, bell: 'TRADE_OFFERED', mail: 'offers' } as const

/** The bell has said it already. */
const remindSeller = { ...mailToSeller, mail: 'reminders', names: 'BUYER' } as const
const remindBuyer = { ...mailToBuyer, mail: 'reminders' } as const
const remindOfTrade = { ...mailOnTrade, mail: 'reminders', doneWhen: 'tradeMoved' } as const

const aboutCars = {
  // A signature may have fallen with it.
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
  // With the agreement, which both must get.
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
  // What both had signed holds no longer.
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

/** The row of an event, with what all rows have in common. */
const rowOf = <Event extends EventName>(event: Event): Row<EventFacts[Event]> =>
  events[event] as Row<EventFacts[Event]>

/** What one kind of people gets of an event; null for what this version does not know. */
export const lineFor = (event: EventName, audience: Audience) => rowOf(event)?.[audience] ?? null

/** The kinds of people of an event, each with their line. */
export const linesFor = <Event extends EventName>(
  event: Event,
): { audience: Audience; line: Line<EventFacts[Event]> }[] => {
  const row = rowOf(event)
  return audiences.flatMap((audience) => {
    const line = row[audience]
    return line ? [{ audience, line }] : []
  })
}
