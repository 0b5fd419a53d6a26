import { formatDeadline, formatWallTime } from '../shared/dates.ts'
import { formatUsd } from '../shared/money.ts'
import type { EventFacts as Facts } from './event-facts.ts'

/** Sentences of a notification and of a push. */
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

/** Sentences by event and, where they differ, by recipient. */
export const notificationSentences = {
  requestReceived: ({ car, buyer, price }: Facts['requestReceived']): NotificationSentences => ({
    message: `${buyer} offers ${formatUsd(price)} for your ${car}.`,
    publicMessage: `A buyer made an offer for a ${car}.`,
  }),
  requestChanged: ({ car, buyer, from, price }: Facts['requestChanged']): NotificationSentences => ({
    message:
      from === price
        ? `${buyer} sent a new request for your ${car}. The price is still ${formatUsd(price)}.`
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
    message: `The seller of the ${car} confirmed another buyer. Your offer waits in case that sale is called off.`,
    publicMessage: `The seller of a ${car} confirmed a buyer.`,
  }),
  requestDenied: ({ car }: Facts['requestDenied']): Silent => ({
    message: `The seller denied your request for the ${car}.`,
  }),
  requestReleased: ({ car }: Facts['requestReleased']): Silent => ({
    message: `The seller released you as the buyer of the ${car}.`,
  }),
  freeAgain: ({ car }: { car: string }): Silent => ({
    message: `The ${car} is free again, and the seller can confirm your request.`,
  }),
  priceChanged: ({ car, from, to }: Facts['priceChanged']): NotificationSentences => ({
    message:
      from === null || from === to
        ? `The price of the ${car} is now ${formatUsd(to)}.`
        : `The price of the ${car} changed from ${formatUsd(from)} to ${formatUsd(to)}.`,
    publicMessage: `The price of a ${car} changed.`,
  }),
  carChanged: ({ car }: Facts['carChanged']): Silent => ({
    message: `The seller changed the details of the ${car}.`,
  }),
  listingRemoved: ({ car }: Facts['listingRemoved']): Silent => ({
    message: `The ${car} is no longer for sale, and your request for it has ended.`,
  }),
  tradeInRemoved: ({ car, buyer }: Facts['tradeInRemoved']): Silent => ({
    message: `${buyer} took a trade-in out of the request for your ${car}.`,
  }),

  buyerWrote: ({ car, buyer }: Facts['buyerWrote']): NotificationSentences => ({
    message: `${buyer} wrote to you about your ${car}.`,
    publicMessage: '',
  }),
  sellerWrote: ({ car, seller }: Facts['sellerWrote']): NotificationSentences => ({
    message: `${seller} wrote to you about the ${car}.`,
    publicMessage: '',
  }),

  /** `until` includes its time zone; null if the buyer had already signed. */
  sellerSigned: ({ car, seller, until }: Facts['sellerSigned']): NotificationSentences => ({
    message:
      until === null
        ? `${seller} signed the agreement for the ${car}.`
        : `${seller} signed the agreement for the ${car}. It is held for you until ${formatDeadline(until)}.`,
    publicMessage: `The seller of a ${car} signed the agreement.`,
  }),
  buyerSigned: ({ car, buyer }: Facts['buyerSigned']): NotificationSentences => ({
    message: `${buyer} signed the agreement for your ${car}.`,
    publicMessage: `The buyer of a ${car} signed the agreement.`,
  }),
  holdEndsSoon: ({ car, until }: Facts['holdEndsSoon']): NotificationSentences => ({
    message: `The ${car} is held for you until ${formatDeadline(until)}. Sign before then.`,
    publicMessage: `The 72 hours for a ${car} end soon.`,
  }),
  holdEnded: ({ car }: Facts['holdEnded']): Silent => ({
    message: `The 72 hours for the ${car} ended without the buyer’s signature.`,
  }),
  bothSigned: ({ car, dealer }: Facts['bothSigned']): Silent => ({
    message: `You have both signed the agreement for the ${car}. ${dealer.name} has the deal.`,
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
  saleCalledOff: ({ car, dealer }: Facts['saleCalledOff']): NotificationSentences => ({
    message: `${dealer} has called off the sale of the ${car}. Its letter to you says why.`,
    publicMessage: `A dealer called off the sale of a ${car}.`,
  }),

  tradeOffered: ({ car, price }: Facts['tradeOffered']): NotificationSentences => ({
    message: `You have an offer of ${formatUsd(price)} for your ${car}.`,
    publicMessage: `An offer was made for a ${car}.`,
  }),
  offerEndsSoon: ({ car, price, until }: Facts['offerEndsSoon']): NotificationSentences => ({
    message: `The offer of ${formatUsd(price)} for your ${car} ends on ${formatDeadline(until)}.`,
    publicMessage: `An offer for a ${car} ends on ${formatDeadline(until)}.`,
  }),
  offerEnded: ({ car, price }: Facts['offerEnded']): NotificationSentences => ({
    message: `The offer of ${formatUsd(price)} for your ${car} has expired. Your request is with the wholesalers again.`,
    publicMessage: `An offer for a ${car} has expired.`,
  }),
  ownOfferEnded: ({ car, price }: Facts['offerEnded']): Silent => ({
    message: `Your offer of ${formatUsd(price)} for the ${car} has expired.`,
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
    message: `The owner of the ${car} answers your offer with ${formatUsd(price)}.`,
    publicMessage: `The owner of a ${car} made a counter offer.`,
  }),
  offerAccepted: ({ car, price }: Facts['offerAccepted']): Silent => ({
    message: `The owner of the ${car} accepts your offer of ${formatUsd(price)}.`,
  }),
  offerRejected: ({ car }: Facts['offerRejected']): Silent => ({
    message: `The owner of the ${car} does not take your offer.`,
  }),

  requestUnanswered: ({ car, buyer }: Facts['requestUnanswered']): Silent => ({
    message: `${buyer} is waiting for your answer about your ${car}.`,
  }),
  sellerUnsigned: ({ car, buyer }: Facts['sellerUnsigned']): Silent => ({
    message: `${buyer} is waiting for your signature for your ${car}.`,
  }),
  buyerUnsigned: ({ car, seller, isConfirmed }: Facts['buyerUnsigned']): Silent => ({
    message: isConfirmed
      ? `${seller} is waiting for your signature for the ${car}.`
      : `Your signature for the ${car} is missing.`,
  }),
  refusalUnanswered: ({ car }: Facts['refusalUnanswered']): Silent => ({
    message: `Your request for the ${car} was not accepted. You can change your price, or delete the request.`,
  }),
  offerUnanswered: ({ car, price }: Facts['offerUnanswered']): Silent => ({
    message: `The offer of ${formatUsd(price)} for your ${car} is waiting for your answer.`,
  }),
  counterUnanswered: ({ car, price }: Facts['counterUnanswered']): Silent => ({
    message: `The counter offer of ${formatUsd(price)} for the ${car} is waiting for your answer.`,
  }),
  tradeUnanswered: ({ car }: Facts['tradeUnanswered']): Silent => ({
    message: `A ${car} is still waiting for an offer. The promised 3 hours are over.`,
  }),
  dealUnanswered: ({ car, dealer }: Facts['dealUnanswered']): Silent => ({
    message: `${dealer} has not answered the deal for the ${car} in a day.`,
  }),

  deliveryParked: ({ dealer }: Facts['deliveryParked']): Silent => ({
    message: `A deal did not reach ${dealer}, and is not sent again by itself.`,
  }),
} as const

export const notificationTexts = {
  title: 'Notifications',
  empty: 'No new notifications',
  ago: (span: string) => `${span} ago`,
  today: 'Today',
  yesterday: 'Yesterday',
  older: 'Show older',
  markAllRead: 'Mark all read',
  allRead: 'All notifications are marked as read.',
} as const
