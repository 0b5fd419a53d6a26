import type { EventFacts, EventName } from './facts.ts'
import type { TellingKind } from './kinds.ts'
import type { Place } from './places.ts'
import type { NotificationType } from './rules.ts'
import { notices, type Says } from './texts.ts'

// Who is told of what, and how: the one table that the bell, letters, pushes and reminders are made from.
//
// - `facts.ts` names the events and what each knows; a name without a row here does not compile.
// - `texts.ts` has the sentences, `places.ts` where they lead (`pageOf`), `rules.ts` who sees which type of the bell.
// - On the server, `tell(deps, tx, event, { facts, about })` is the only way to tell (`notifications/tell.ts`): in the
//   transaction of the event it rings the bells of the row, and hands every recipient with line, place and facts to
//   `notifications/by-mail.ts`, where the letters are made.
// - `notifications/done.ts` has the rules of `doneWhen` as conditions of a query.

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
  mail: TellingKind | 'needed' | null
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
type Row<Facts> = { of: SubjectKind; to: { [A in Audience]?: Line<Facts> } }

/** Most lines: pushed, and naming nobody. */
const pushed = { push: true, names: null } as const
const silent = { ...pushed, bell: null, doneWhen: null } as const
/** The bell has said it already. */
const reminder = { ...silent, mail: 'reminders' } as const
/** By mail alone: an administrator has neither bell nor devices. */
const toAdministrator = { ...silent, push: false, mail: 'needed', leads: 'deliveries' } as const

/** To the two of a deal, to each by the type of what the other one signed, and to each at their own page of it. */
const bySide = {
  SELLER: { ...pushed, bell: 'Buyer_Agreement', leads: 'car', doneWhen: null },
  BUYER: { ...pushed, bell: 'Seller_Agreement', leads: 'deal', doneWhen: null },
} as const
const toBoth = <Facts>(mail: TellingKind | 'needed', says: (facts: Facts) => Says) => ({
  SELLER: { ...bySide.SELLER, mail, says },
  BUYER: { ...bySide.BUYER, mail, says },
})
/** Another sale is off: those who wait are in play again. */
const freeAgain = { ...silent, mail: 'answers', leads: 'deal', says: notices.freeAgain, turn: true } as const

const events = {
  requestReceived: {
    of: 'deal',
    to: {
      SELLER: {
        bell: 'Buyer_Offer',
        mail: 'requests',
        push: true,
        says: notices.requestReceived,
        turn: true,
        leads: 'car',
        names: 'BUYER',
        doneWhen: 'requestMoved',
      },
    },
  },
  requestChanged: {
    of: 'deal',
    to: {
      SELLER: {
        bell: 'Buyer_Offer',
        mail: 'requests',
        push: true,
        says: notices.requestChanged,
        turn: true,
        leads: 'car',
        names: 'BUYER',
        doneWhen: 'requestMoved',
      },
    },
  },
  requestWithdrawn: {
    of: 'deal',
    to: {
      SELLER: {
        ...silent,
        mail: 'requests',
        says: notices.requestWithdrawn,
        leads: 'car',
        names: 'BUYER',
      },
      WAITING: freeAgain,
    },
  },
  requestConfirmed: {
    of: 'deal',
    to: {
      BUYER: {
        bell: 'Seller_Agreement',
        mail: 'answers',
        push: true,
        says: notices.requestConfirmed,
        turn: true,
        leads: 'deal',
        names: 'SELLER',
        doneWhen: 'buyerActed',
      },
      WAITING: {
        ...pushed,
        bell: 'Seller_Agreement',
        mail: 'answers',
        says: notices.promisedElsewhere,
        leads: 'deal',
        doneWhen: 'waitOver',
      },
    },
  },
  requestDenied: {
    of: 'deal',
    to: { BUYER: { ...silent, mail: 'answers', says: notices.requestDenied, leads: 'deal', turn: true } },
  },
  requestReleased: {
    of: 'deal',
    to: {
      BUYER: { ...silent, mail: 'answers', says: notices.requestReleased, leads: 'deal', turn: true },
      WAITING: freeAgain,
    },
  },
  priceChanged: {
    of: 'deal',
    to: {
      BUYER: {
        ...pushed,
        bell: 'PRICE_UPDATED',
        mail: 'answers',
        says: notices.priceChanged,
        turn: true,
        leads: 'deal',
        doneWhen: 'requestMoved',
      },
    },
  },
  carChanged: {
    of: 'car',
    // A signature may have fallen with it.
    to: { WAITING: { ...silent, mail: 'needed', says: notices.carChanged, leads: 'deal', turn: true } },
  },
  listingRemoved: {
    of: 'car',
    to: { WAITING: { ...silent, mail: 'answers', says: notices.listingRemoved, leads: 'purchases' } },
  },
  tradeInRemoved: {
    of: 'deal',
    to: {
      SELLER: {
        ...silent,
        mail: 'needed',
        says: notices.tradeInRemoved,
        turn: true,
        leads: 'car',
        names: 'BUYER',
      },
    },
  },

  buyerWrote: {
    of: 'deal',
    to: {
      SELLER: {
        ...bySide.SELLER,
        mail: 'messages',
        says: notices.buyerWrote,
        names: 'BUYER',
        doneWhen: 'messagesSeen',
      },
    },
  },
  sellerWrote: {
    of: 'deal',
    to: {
      BUYER: {
        ...bySide.BUYER,
        mail: 'messages',
        says: notices.sellerWrote,
        names: 'SELLER',
        doneWhen: 'messagesSeen',
      },
    },
  },

  sellerSigned: {
    of: 'deal',
    to: {
      BUYER: {
        bell: 'Seller_Agreement',
        mail: 'signing',
        push: true,
        says: notices.sellerSigned,
        turn: true,
        leads: 'deal',
        names: 'SELLER',
        doneWhen: 'buyerActed',
      },
    },
  },
  buyerSigned: {
    of: 'deal',
    to: {
      SELLER: {
        bell: 'Buyer_Agreement',
        mail: 'signing',
        push: true,
        says: notices.buyerSigned,
        turn: true,
        leads: 'car',
        names: 'BUYER',
        doneWhen: 'sellerActed',
      },
    },
  },
  holdEndsSoon: {
    of: 'deal',
    to: {
      BUYER: {
        ...pushed,
        bell: 'Seller_Agreement',
        mail: 'signing',
        says: notices.holdEndsSoon,
        leads: 'deal',
        doneWhen: 'buyerActed',
      },
    },
  },
  holdEnded: {
    of: 'deal',
    to: {
      SELLER: { ...silent, mail: 'needed', says: notices.holdEnded, leads: 'car', turn: true },
      BUYER: { ...silent, mail: 'needed', says: notices.holdEnded, leads: 'deal' },
      WAITING: freeAgain,
    },
  },
  bothSigned: {
    of: 'deal',
    to: {
      // With the agreement, which both must get.
      SELLER: { ...silent, mail: 'needed', says: notices.bothSigned, leads: 'car', turn: true },
      BUYER: { ...silent, mail: 'needed', says: notices.bothSigned, leads: 'deal' },
    },
  },

  dealerAccepted: { of: 'deal', to: toBoth('dealer', notices.dealerAccepted) },
  documentNeeded: { of: 'deal', to: toBoth('dealer', notices.documentNeeded) },
  appointmentMade: { of: 'deal', to: toBoth('dealer', notices.appointmentMade) },
  sellerPaid: {
    of: 'deal',
    to: {
      SELLER: { ...bySide.SELLER, mail: 'dealer', says: notices.ownPayment },
      BUYER: { ...bySide.BUYER, mail: 'dealer', says: notices.sellerPaid },
    },
  },
  titleReceived: { of: 'deal', to: toBoth('dealer', notices.titleReceived) },
  saleCompleted: {
    of: 'deal',
    to: {
      ...toBoth('dealer', notices.saleCompleted),
      WAITING: {
        ...pushed,
        bell: 'Seller_Agreement',
        mail: 'answers',
        says: notices.soldElsewhere,
        leads: 'deal',
        doneWhen: null,
      },
    },
  },
  saleCalledOff: {
    of: 'deal',
    // What both had signed holds no longer.
    to: { ...toBoth('needed', notices.saleCalledOff), WAITING: freeAgain },
  },

  tradeAdded: {
    of: 'trade',
    to: {
      WHOLESALERS: {
        ...pushed,
        bell: 'Buyer_Offer',
        mail: 'newTrades',
        says: notices.tradeAdded,
        turn: true,
        leads: 'trade',
        doneWhen: 'tradeMoved',
      },
    },
  },
  tradeReopened: {
    of: 'trade',
    to: {
      WHOLESALERS: {
        bell: 'Buyer_Offer',
        mail: null,
        push: false,
        says: notices.tradeReopened,
        turn: true,
        leads: 'trade',
        names: null,
        doneWhen: 'tradeMoved',
      },
    },
  },
  tradeOffered: {
    of: 'trade',
    to: {
      OWNER: {
        ...pushed,
        bell: 'TRADE_OFFERED',
        mail: 'offers',
        says: notices.tradeOffered,
        turn: true,
        leads: 'trade',
        doneWhen: 'tradeMoved',
      },
    },
  },
  counterOffered: {
    of: 'trade',
    to: {
      OFFERER: {
        ...pushed,
        bell: 'Buyer_Offer',
        mail: 'ownOffers',
        says: notices.counterOffered,
        turn: true,
        leads: 'trade',
        doneWhen: 'tradeMoved',
      },
    },
  },
  offerAccepted: {
    of: 'trade',
    to: { OFFERER: { ...silent, mail: 'ownOffers', says: notices.offerAccepted, leads: 'trade' } },
  },
  offerRejected: {
    of: 'trade',
    to: { OFFERER: { ...silent, mail: 'ownOffers', says: notices.offerRejected, leads: 'trade' } },
  },
  offerEndsSoon: {
    of: 'trade',
    to: {
      OWNER: {
        ...pushed,
        bell: 'TRADE_OFFERED',
        mail: 'offers',
        says: notices.offerEndsSoon,
        leads: 'trade',
        doneWhen: 'tradeMoved',
      },
    },
  },
  offerEnded: {
    of: 'trade',
    to: {
      OWNER: {
        ...pushed,
        bell: 'TRADE_OFFERED',
        mail: 'offers',
        says: notices.offerEnded,
        leads: 'trade',
        doneWhen: 'tradeMoved',
      },
      OFFERER: { ...silent, mail: 'ownOffers', says: notices.ownOfferEnded, leads: 'trade' },
    },
  },

  requestUnanswered: {
    of: 'deal',
    to: {
      SELLER: {
        ...reminder,
        says: notices.requestUnanswered,
        leads: 'car',
        names: 'BUYER',
        doneWhen: 'sellerAnswered',
      },
    },
  },
  sellerUnsigned: {
    of: 'deal',
    to: {
      SELLER: {
        ...reminder,
        says: notices.sellerUnsigned,
        leads: 'car',
        names: 'BUYER',
        doneWhen: 'sellerSigned',
      },
    },
  },
  buyerUnsigned: {
    of: 'deal',
    to: {
      BUYER: {
        ...reminder,
        says: notices.buyerUnsigned,
        leads: 'deal',
        names: 'SELLER',
        doneWhen: 'buyerSigned',
      },
    },
  },
  refusalUnanswered: {
    of: 'deal',
    to: { BUYER: { ...reminder, says: notices.refusalUnanswered, leads: 'deal', doneWhen: 'buyerAsked' } },
  },
  offerUnanswered: {
    of: 'trade',
    to: { OWNER: { ...reminder, says: notices.offerUnanswered, leads: 'trade', doneWhen: 'tradeMoved' } },
  },
  counterUnanswered: {
    of: 'trade',
    to: {
      OFFERER: { ...reminder, says: notices.counterUnanswered, leads: 'trade', doneWhen: 'tradeMoved' },
    },
  },
  tradeUnanswered: {
    of: 'trade',
    to: {
      WHOLESALERS: { ...reminder, says: notices.tradeUnanswered, leads: 'trade', doneWhen: 'tradeMoved' },
    },
  },
  dealUnanswered: {
    of: 'delivery',
    to: {
      ADMINISTRATOR: { ...toAdministrator, says: notices.dealUnanswered, doneWhen: 'dealerSpoke' },
    },
  },

  deliveryParked: {
    of: 'delivery',
    to: {
      ADMINISTRATOR: { ...toAdministrator, says: notices.deliveryParked },
    },
  },
} as const satisfies { [Event in EventName]: Row<EventFacts[Event]> }

type Events = typeof events
export const eventNames = Object.keys(events) as EventName[]
export type AudienceOf<Event extends EventName> = keyof Events[Event]['to'] & Audience
export type SubjectOf<Event extends EventName> = Events[Event]['of']

/** The row of an event, with what all rows have in common. */
const rowOf = <Event extends EventName>(event: Event): Row<EventFacts[Event]> =>
  events[event] as Row<EventFacts[Event]>

/** What one kind of people gets of an event; null for what this version does not know. */
export const lineFor = (event: EventName, audience: Audience) => rowOf(event)?.to[audience] ?? null

/** The kinds of people of an event, each with their line. */
export const linesFor = <Event extends EventName>(
  event: Event,
): { audience: Audience; line: Line<EventFacts[Event]> }[] => {
  const { to } = rowOf(event)
  return audiences.flatMap((audience) => {
    const line = to[audience]
    return line ? [{ audience, line }] : []
  })
}
