import { type Cents, formatUsd } from '../kit/money.ts'
import type { NotificationType } from './rules.ts'

export type Told = {
  type: NotificationType
  /** Read by the addressee. */
  message: string
  /** Read by wholesalers: which car and what happened, but no person, contact data or price (R-notifications-3). */
  publicMessage: string
}

/** What a dealer does is told to both sides, to each with the type of what the other one signed. */
type ByDealer = { car: string; dealer: string; side: 'SELLER' | 'BUYER' }
const byDealer = ({ side }: ByDealer, message: string, publicMessage: string): Told => ({
  type: side === 'BUYER' ? 'Seller_Agreement' : 'Buyer_Agreement',
  message,
  publicMessage,
})

type Offered = { car: string; buyer: string; price: Cents }

/**
 * The sentences of every event that rings a bell; two events may share a type (R-notifications-1).
 * `car` is the car's name ("2003 Honda Accord EX"), `buyer` and `seller` are full names.
 */
export const notices = {
  tradeOffered: ({ car, price }: { car: string; price: Cents }): Told => ({
    type: 'TRADE_OFFERED',
    message: `You have an offer of ${formatUsd(price)} for your ${car}.`,
    publicMessage: `An offer was made for a ${car}.`,
  }),
  /** `until` with its time zone, for it is read at any time afterwards. */
  offerEndsSoon: ({ car, price, until }: { car: string; price: Cents; until: string }): Told => ({
    type: 'TRADE_OFFERED',
    message: `The offer of ${formatUsd(price)} for your ${car} ends on ${until}.`,
    publicMessage: `An offer for a ${car} ends on ${until}.`,
  }),
  offerEnded: ({ car, price }: { car: string; price: Cents }): Told => ({
    type: 'TRADE_OFFERED',
    message: `The offer of ${formatUsd(price)} for your ${car} has expired. Your request is with the wholesalers again.`,
    publicMessage: `An offer for a ${car} has expired.`,
  }),
  /** To a buyer with a request: the seller set another price. `from` is null if the car had none. */
  priceUpdated: ({ car, from, to }: { car: string; from: Cents | null; to: Cents }): Told => ({
    type: 'PRICE_UPDATED',
    message:
      from === null || from === to
        ? `The price of the ${car} is now ${formatUsd(to)}.`
        : `The price of the ${car} changed from ${formatUsd(from)} to ${formatUsd(to)}.`,
    publicMessage: `The price of a ${car} changed.`,
  }),
  sellerConfirmed: ({ car, seller }: { car: string; seller: string }): Told => ({
    type: 'Seller_Agreement',
    message: `${seller} confirmed you as the buyer of the ${car}.`,
    publicMessage: `The seller of a ${car} confirmed a buyer.`,
  }),
  /** To a buyer whose request waits: another one was confirmed. */
  promisedElsewhere: ({ car }: { car: string }): Told => ({
    type: 'Seller_Agreement',
    message: `The seller of the ${car} confirmed another buyer. Your offer waits in case that sale is called off.`,
    publicMessage: `The seller of a ${car} confirmed a buyer.`,
  }),
  soldElsewhere: ({ car }: { car: string }): Told => ({
    type: 'Seller_Agreement',
    message: `The ${car} was sold to another buyer. Your offer for it has ended.`,
    publicMessage: `A ${car} was sold.`,
  }),
  sellerSigned: ({ car, seller }: { car: string; seller: string }): Told => ({
    type: 'Seller_Agreement',
    message: `${seller} signed the agreement for the ${car}.`,
    publicMessage: `The seller of a ${car} signed the agreement.`,
  }),
  buyerOffered: ({ car, buyer, price }: Offered): Told => ({
    type: 'Buyer_Offer',
    message: `${buyer} offers ${formatUsd(price)} for your ${car}.`,
    publicMessage: `A buyer made an offer for a ${car}.`,
  }),
  /** The same buyer asked again, at another price or with other trades. */
  buyerChangedOffer: ({ car, buyer, from, price }: Offered & { from: Cents }): Told => ({
    type: 'Buyer_Offer',
    message:
      from === price
        ? `${buyer} sent a new request for your ${car}. The price is still ${formatUsd(price)}.`
        : `${buyer} changed the offer for your ${car} from ${formatUsd(from)} to ${formatUsd(price)}.`,
    publicMessage: `A buyer changed the offer for a ${car}.`,
  }),
  buyerSigned: ({ car, buyer }: { car: string; buyer: string }): Told => ({
    type: 'Buyer_Agreement',
    message: `${buyer} signed the agreement for your ${car}.`,
    publicMessage: `The buyer of a ${car} signed the agreement.`,
  }),
  dealerAccepted: (of: ByDealer): Told =>
    byDealer(
      of,
      `${of.dealer} has accepted the deal for the ${of.car}.`,
      `A dealer accepted the deal for a ${of.car}.`,
    ),
  documentNeeded: (of: ByDealer): Told =>
    byDealer(
      of,
      `${of.dealer} needs a document for the sale of the ${of.car}. Open the deal to read which one.`,
      `A dealer needs a document for the sale of a ${of.car}.`,
    ),
  /** `when` as the clock at that place says it. */
  appointmentMade: (of: ByDealer & { when: string }): Told =>
    byDealer(
      of,
      `${of.dealer} made an appointment for the ${of.car}: ${of.when}.`,
      `A dealer made an appointment for a ${of.car}.`,
    ),
  sellerPaid: (of: ByDealer): Told =>
    byDealer(
      of,
      `${of.dealer} has paid the seller of the ${of.car}.`,
      `A dealer paid the seller of a ${of.car}.`,
    ),
  titleReceived: (of: ByDealer): Told =>
    byDealer(
      of,
      `${of.dealer} has received the title of the ${of.car}.`,
      `A dealer received the title of a ${of.car}.`,
    ),
  saleCompleted: (of: ByDealer): Told =>
    byDealer(
      of,
      `${of.dealer} has completed the sale of the ${of.car}.`,
      `The sale of a ${of.car} is complete.`,
    ),
  dealerCancelled: (of: ByDealer): Told =>
    byDealer(
      of,
      `${of.dealer} has called off the sale of the ${of.car}. Its letter to you says why.`,
      `A dealer called off the sale of a ${of.car}.`,
    ),
} as const

export const notificationTexts = {
  title: 'Notifications',
  empty: 'No new notifications',
  ago: (span: string) => `${span} ago`,
} as const
