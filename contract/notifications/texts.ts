import { formatDeadline, formatWallTime } from '../shared/dates.ts'
import { formatUsd } from '../shared/money.ts'
import type { EventFacts as Facts } from './event-facts.ts'

/** The sentences of a notification and of a push. */
export type NotificationSentences = {
  message: string
  /**
   * For wholesalers who are not the addressee: the car and the event, but no person, contact data
   * or price (R-notifications-3). Empty when the event is private.
   */
  publicMessage: string
}

/** Events without a notification in the app have no other readers. */
type Silent = { message: string }

/**
 * Sentences by event and, where they differ, by recipient. Times are in the recipient's `zone`.
 */
export const notificationSentences = {
  requestReceived: ({ car, buyer, price }: Facts['requestReceived']): NotificationSentences => ({
    message: `${buyer} offers ${formatUsd(price)} for your ${car}.`,
    publicMessage: `A buyer made an offer for a ${car}.`,
  }),
  requestChanged: ({ car, buyer, from, price }: Facts['requestChanged']): NotificationSentences => ({
    message:
      from === price
        ? `${buyer} sent a new request for your ${car}. The offer is still ${formatUsd(price)}.`
        : `${buyer} changed the offer for your ${car} from ${formatUsd(from)} to ${formatUsd(price)}.`,
    publicMessage: `A buyer changed the offer for a ${car}.`,
  }),
  requestWithdrawn: ({ car, buyer }: Facts['requestWithdrawn']): Silent => ({
    message: `${buyer} withdrew the request for your ${car}.`,
  }),
  requestConfirmed: ({ car, seller }: Facts['requestConfirmed']): NotificationSentences => ({
    message: `${seller} confirmed you as the buyer of the ${car}.`,
    publicMessage: `The seller of a ${car} confirmed a buyer.`,
  }),
  promisedElsewhere: ({ car }: { car: string }): NotificationSentences => ({
    message: `The seller of the ${car} confirmed another buyer. Your offer waits in case that sale falls through.`,
    publicMessage: `The seller of a ${car} confirmed a buyer.`,
  }),
  requestDenied: ({ car }: Facts['requestDenied']): NotificationSentences => ({
    message: `The seller denied your request for the ${car}.`,
    publicMessage: `The seller of a ${car} denied a request.`,
  }),
  requestReleased: ({ car }: Facts['requestReleased']): NotificationSentences => ({
    message: `The seller released you as the buyer of the ${car}.`,
    publicMessage: `The seller of a ${car} released the buyer.`,
  }),
  freeAgain: ({ car }: { car: string }): NotificationSentences => ({
    message: `The ${car} is available again, and the seller can confirm your request.`,
    publicMessage: `A ${car} is available again.`,
  }),
  freeToAsk: ({ car }: { car: string }): NotificationSentences => ({
    message: `The ${car} is available again, and you can request it.`,
    publicMessage: `A ${car} is available again.`,
  }),
  priceChanged: ({ car, from, to, offer }: Facts['priceChanged']): NotificationSentences => ({
    message:
      from === null
        ? `The seller of the ${car} now asks ${formatUsd(to)}. Your offer of ${formatUsd(offer)} has not changed.`
        : `The seller of the ${car} changed the asking price from ${formatUsd(from)} to ${formatUsd(to)}. Your offer of ${formatUsd(offer)} has not changed.`,
    publicMessage: `The asking price of a ${car} changed.`,
  }),
  priceProposed: ({ car, seller, price, offer }: Facts['priceProposed']): NotificationSentences => ({
    message: `${seller} proposes ${formatUsd(price)} for the ${car}. You offered ${formatUsd(offer)}.`,
    publicMessage: '',
  }),
  proposalAccepted: ({ car, buyer, proposed }: Facts['proposalAccepted']): NotificationSentences => ({
    message: `${buyer} accepted your price and now offers ${formatUsd(proposed)} for your ${car}.`,
    publicMessage: `A buyer changed the offer for a ${car}.`,
  }),
  proposalDeclined: ({ car, buyer, proposed, offer }: Facts['proposalDeclined']): NotificationSentences => ({
    message: `${buyer} declined ${formatUsd(proposed)} for your ${car} and keeps the offer of ${formatUsd(offer)}.`,
    publicMessage: '',
  }),
  carChanged: ({ car }: Facts['carChanged']): Silent => ({
    message: `The seller changed the details of the ${car}.`,
  }),
  listingRemoved: ({ car }: Facts['listingRemoved']): Silent => ({
    message: `The ${car} is no longer for sale, and your request for it has ended.`,
  }),
  tradeInRemoved: ({ car, buyer }: Facts['tradeInRemoved']): Silent => ({
    message: `${buyer} removed a trade-in from the request for your ${car}.`,
  }),

  buyerWrote: ({ car, buyer }: Facts['buyerWrote']): NotificationSentences => ({
    message: `${buyer} wrote to you about your ${car}.`,
    publicMessage: '',
  }),
  sellerWrote: ({ car, seller }: Facts['sellerWrote']): NotificationSentences => ({
    message: `${seller} wrote to you about the ${car}.`,
    publicMessage: '',
  }),

  /** `until` is null if the buyer had already signed. */
  sellerSigned: ({ car, seller, until }: Facts['sellerSigned'], zone: string): NotificationSentences => ({
    message:
      until === null
        ? `${seller} signed the agreement for the ${car}.`
        : `${seller} signed the agreement for the ${car}. It is held for you until ${formatDeadline(until, zone)}.`,
    publicMessage: `The seller of a ${car} signed the agreement.`,
  }),
  buyerSigned: ({ car, buyer }: Facts['buyerSigned']): NotificationSentences => ({
    message: `${buyer} signed the agreement for your ${car}.`,
    publicMessage: `The buyer of a ${car} signed the agreement.`,
  }),
  holdEndsSoon: ({ car, until }: Facts['holdEndsSoon'], zone: string): NotificationSentences => ({
    message: `The ${car} is held for you until ${formatDeadline(until, zone)}. Sign before then.`,
    publicMessage: `The 72 hours for a ${car} end soon.`,
  }),
  holdEnded: ({ car }: Facts['holdEnded']): Silent => ({
    message: `The 72 hours for the ${car} ended without the buyer’s signature.`,
  }),
  bothSigned: ({ car, dealer }: Facts['bothSigned']): Silent => ({
    message: `You have both signed the agreement for the ${car}. The deal goes to ${dealer.name} next.`,
  }),

  dealerAccepted: ({ car, dealer }: Facts['dealerAccepted']): NotificationSentences => ({
    message: `${dealer} has accepted the deal for the ${car}.`,
    publicMessage: `A dealer accepted the deal for a ${car}.`,
  }),
  documentNeeded: ({ car, dealer }: Facts['documentNeeded']): NotificationSentences => ({
    message: `${dealer} needs a document for the sale of the ${car}. Open the deal to read which one.`,
    publicMessage: `A dealer needs a document for the sale of a ${car}.`,
  }),
  appointmentMade: ({ car, dealer, place, time }: Facts['appointmentMade']): NotificationSentences => ({
    message: `${dealer} made an appointment for the ${car}: ${formatWallTime(time)}, ${place}.`,
    publicMessage: `A dealer made an appointment for a ${car}.`,
  }),
  sellerPaid: ({ car, dealer }: Facts['sellerPaid']): NotificationSentences => ({
    message: `${dealer} has paid the seller of the ${car}.`,
    publicMessage: `A dealer paid the seller of a ${car}.`,
  }),
  ownPayment: ({ car, dealer }: Facts['sellerPaid']): NotificationSentences => ({
    message: `${dealer} has paid you for the ${car}.`,
    publicMessage: `A dealer paid the seller of a ${car}.`,
  }),
  titleReceived: ({ car, dealer }: Facts['titleReceived']): NotificationSentences => ({
    message: `${dealer} has received the title of the ${car}.`,
    publicMessage: `A dealer received the title of a ${car}.`,
  }),
  saleCompleted: ({ car, dealer }: Facts['saleCompleted']): NotificationSentences => ({
    message: `${dealer} has completed the sale of the ${car}.`,
    publicMessage: `The sale of a ${car} is complete.`,
  }),
  soldElsewhere: ({ car }: { car: string }): NotificationSentences => ({
    message: `The ${car} was sold to another buyer. Your offer for it has ended.`,
    publicMessage: `A ${car} was sold.`,
  }),
  soldToAnother: ({ car }: { car: string }): NotificationSentences => ({
    message: `The ${car} was sold to another buyer.`,
    publicMessage: `A ${car} was sold.`,
  }),
  saleCalledOff: ({ car, dealer }: Facts['saleCalledOff']): NotificationSentences => ({
    message: `${dealer} has called off the sale of the ${car}. Open the deal to read why.`,
    publicMessage: `A dealer called off the sale of a ${car}.`,
  }),
  dealPaused: ({ car }: { car: string }): NotificationSentences => ({
    message: `The deal for the ${car} is paused. We will let you know when it resumes.`,
    publicMessage: '',
  }),
  dealResumed: ({ car }: { car: string }): NotificationSentences => ({
    message: `The deal for the ${car} has resumed.`,
    publicMessage: '',
  }),

  tradeOffered: ({ car, price }: Facts['tradeOffered']): NotificationSentences => ({
    message: `You have an offer of ${formatUsd(price)} for your ${car}.`,
    publicMessage: `An offer was made for a ${car}.`,
  }),
  offerEndsSoon: ({ car, price, until }: Facts['offerEndsSoon'], zone: string): NotificationSentences => ({
    message: `The offer of ${formatUsd(price)} for your ${car} ends on ${formatDeadline(until, zone)}.`,
    publicMessage: `An offer for a ${car} ends soon.`,
  }),
  offerEnded: ({ car, price, takesOffers }: Facts['offerEnded']): NotificationSentences => ({
    message: `The offer of ${formatUsd(price)} for your ${car} has expired.${takesOffers ? ' Your request is open to wholesalers again.' : ''}`,
    publicMessage: `An offer for a ${car} has expired.`,
  }),
  offerWithdrawn: ({ car, price }: Facts['offerWithdrawn']): NotificationSentences => ({
    message: `The wholesaler withdrew the offer of ${formatUsd(price)} for your ${car}. Your request is open to wholesalers again.`,
    publicMessage: `An offer for a ${car} was withdrawn.`,
  }),
  ownOfferEnded: ({ car, price }: Facts['offerEnded']): Silent => ({
    message: `Your offer of ${formatUsd(price)} for the ${car} has expired.`,
  }),
  tradeDeleted: ({ car, accepted }: Facts['tradeDeleted']): NotificationSentences => ({
    message:
      accepted === null
        ? `The owner of the ${car} deleted the request, so your offer is no longer valid.`
        : `The owner of the ${car} deleted the request, so your accepted offer of ${formatUsd(accepted)} is no longer valid.`,
    publicMessage: `The owner of a ${car} deleted the request.`,
  }),
  tradeUsed: ({ car, price }: Facts['tradeUsed']): NotificationSentences => ({
    message: `The ${car} was traded in for your offer of ${formatUsd(price)}.`,
    publicMessage: `A ${car} was traded in.`,
  }),
  tradeAdded: ({ car }: Facts['tradeAdded']): NotificationSentences => ({
    message: `A ${car} is waiting for an offer.`,
    publicMessage: `A ${car} is waiting for an offer.`,
  }),
  tradeReopened: ({ car }: Facts['tradeReopened']): NotificationSentences => ({
    message: `A ${car} is waiting for an offer again.`,
    publicMessage: `A ${car} is waiting for an offer again.`,
  }),
  counterOffered: ({ car, price }: Facts['counterOffered']): NotificationSentences => ({
    message: `The owner of the ${car} countered your offer with ${formatUsd(price)}.`,
    publicMessage: `The owner of a ${car} made a counter offer.`,
  }),
  offerAccepted: ({ car, price }: Facts['offerAccepted']): Silent => ({
    message: `The owner of the ${car} accepted your offer of ${formatUsd(price)}.`,
  }),
  offerRejected: ({ car, wasForfeited }: Facts['offerRejected']): Silent => ({
    message: wasForfeited
      ? `The owner of the ${car} forfeited the counter offer. The request is closed.`
      : `The owner of the ${car} rejected your offer.`,
  }),

  requestUnanswered: ({ car, buyer }: Facts['requestUnanswered']): Silent => ({
    message: `${buyer} is waiting for your answer about your ${car}.`,
  }),
  proposalUnanswered: ({ car, seller, price }: Facts['proposalUnanswered']): Silent => ({
    message: `${seller} is waiting for your answer to the proposed price of ${formatUsd(price)} for the ${car}.`,
  }),
  sellerUnsigned: ({ car, buyer }: Facts['sellerUnsigned']): Silent => ({
    message: `${buyer} is waiting for you to sign the agreement for your ${car}.`,
  }),
  buyerUnsigned: ({ car, seller, isConfirmed }: Facts['buyerUnsigned']): Silent => ({
    message: isConfirmed
      ? `${seller} is waiting for you to sign the agreement for the ${car}.`
      : `You haven’t signed the agreement for the ${car} yet.`,
  }),
  refusalUnanswered: ({ car }: Facts['refusalUnanswered']): Silent => ({
    message: `The seller has turned down your request for the ${car}. You can change your offer, or delete the request.`,
  }),
  offerUnanswered: ({ car, price }: Facts['offerUnanswered']): Silent => ({
    message: `The offer of ${formatUsd(price)} for your ${car} is waiting for your answer.`,
  }),
  counterUnanswered: ({ car, price }: Facts['counterUnanswered']): Silent => ({
    message: `The counter offer of ${formatUsd(price)} for the ${car} is waiting for your answer.`,
  }),
  tradeUnanswered: ({ car, isReopened }: Facts['tradeUnanswered']): Silent => ({
    message: `A ${car} is still waiting for an offer.${isReopened ? '' : ' The promised 3 hours are over.'}`,
  }),
  dealUnanswered: ({ car, dealer }: Facts['dealUnanswered']): Silent => ({
    message: `${dealer} has not responded to the deal for the ${car} for more than a day.`,
  }),

  deliveryParked: ({ dealer }: Facts['deliveryParked']): Silent => ({
    message: `A deal did not reach ${dealer} and will not be sent again automatically.`,
  }),
} as const

export const notificationTexts = {
  title: 'Notifications',
  empty: 'No new notifications',
  ago: (span: string) => `${span} ago`,
  /** A wholesaler’s section of what waits for them, before the days. */
  own: 'Your offers',
  today: 'Today',
  yesterday: 'Yesterday',
  older: 'Show older',
  markAllRead: 'Mark all read',
  allRead: 'All notifications are marked as read.',
} as const
