import { type Cents, formatUsd } from '../kit/money.ts'
import type { NotificationType } from './rules.ts'

export type Told = {
  type: NotificationType
  /** Read by the addressee. */
  message: string
  /** Read by wholesalers: which car and what happened, but no person, contact data or price (R-notifications-3). */
  publicMessage: string
}

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
} as const

export const notificationTexts = {
  title: 'Notifications',
  empty: 'No new notifications',
  ago: (span: string) => `${span} ago`,
} as const
