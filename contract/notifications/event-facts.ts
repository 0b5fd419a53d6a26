import type { Cents } from '../shared/money.ts'

/** `car` is the car's name ("2003 Honda Accord EX"). */
type Car = { car: string }
type Offered = Car & { buyer: string; price: Cents }
/** `offer`: the buyer's offer before. */
type Answered = { buyer: string; proposed: Cents; offer: Cents }
type ByDealer = Car & { dealer: string }
type Priced = Car & { price: Cents }

/**
 * All events with notifications, and the facts for their sentences and emails. People are full
 * names; times are ISO and formatted for the reader. A new name does not compile until events.ts
 * lists its recipients.
 */
export type EventFacts = {
  // A request for a car.
  requestReceived: Offered
  /**
   * The same buyer asked again, at another price or with other trades. `isReserved`: for another
   * buyer, so the seller cannot confirm this one.
   */
  requestChanged: Offered & { from: Cents; isReserved: boolean }
  requestWithdrawn: Car & { buyer: string; wasConfirmed: boolean }
  requestConfirmed: Car & { seller: string; buyerSigned: boolean }
  /** `message`: the seller's note, possibly empty. */
  requestDenied: Car & { message: string }
  requestReleased: Car & { message: string }
  /** The seller changed the asking price. `from` is null if the car had none. */
  priceChanged: Car & { from: Cents | null; to: Cents; offer: Cents }
  /** The seller proposes another price than the buyer's offer. */
  priceProposed: Car & { seller: string; price: Cents; offer: Cents }
  proposalAccepted: Car & Answered
  proposalDeclined: Car & Answered
  /** The seller changed a term of the car; `from` and `to` are formatted. */
  carChanged: Car & { from: string; to: string }
  listingRemoved: Car
  tradeInRemoved: Car & { buyer: string }

  // Messages between the two.
  /** `text`: the message, for the email only. */
  buyerWrote: Car & { buyer: string; text: string }
  sellerWrote: Car & { seller: string; text: string }

  // Signing.
  /** `until`: the end of the hold; null when the buyer had already signed. */
  sellerSigned: Car & { seller: string; until: string | null }
  /**
   * `sellersMove`: what the seller can do now. `none`: the car is reserved for another buyer. null:
   * the seller had signed before, so both have.
   */
  buyerSigned: Car & { buyer: string; sellersMove: 'sign' | 'confirm' | 'none' | null }
  holdEndsSoon: Car & { until: string }
  holdEnded: Car
  /** The deal goes to the dealer. `size` and `root` are those of the evidence log. */
  bothSigned: Car & {
    seller: string
    buyer: string
    packageId: string
    /** Opens the PDF without an account; each side gets its own. */
    links: Record<'SELLER' | 'BUYER', string>
    size: number
    root: string
    dealer: { name: string; phone: string | null; hours: string | null }
    /** The next step, in one sentence. */
    next: string
  }

  // Steps reported by the dealer.
  dealerAccepted: ByDealer
  documentNeeded: ByDealer & { document: string }
  /** `time`: local time at that place, without a zone. */
  appointmentMade: ByDealer & { place: string; time: string }
  sellerPaid: ByDealer
  titleReceived: ByDealer
  saleCompleted: ByDealer
  saleCalledOff: ByDealer & { reason: string }

  // The account of the other party was suspended, or its suspension lifted. `writeTo`: an address.
  sellerSuspended: Car & { writeTo: string }
  buyerSuspended: Car & { writeTo: string }
  sellerRestored: Car
  buyerRestored: Car

  // A trade.
  tradeAdded: Car
  /**
   * The trade accepts offers again, because an offer has ended or the administrator has reset it.
   */
  tradeReopened: Car
  tradeOffered: Priced
  counterOffered: Priced
  offerAccepted: Priced
  /** `wasForfeited`: the owner gave up the counter to it instead of rejecting the offer. */
  offerRejected: Car & { wasForfeited?: boolean }
  offerEndsSoon: Priced & { until: string }
  /** `takesOffers`: nobody has made another offer since. */
  offerEnded: Priced & { takesOffers: boolean }
  /** `accepted`: the agreed price; null when the owner had not accepted the offer. */
  tradeDeleted: Car & { accepted: Cents | null }
  /** The sale in which the owner traded this car in is complete. */
  tradeUsed: Priced
  /** The wholesaler withdrew the offer, or deleted their account. */
  offerWithdrawn: Priced

  // Reminders: a party still has to act.
  requestUnanswered: Offered
  proposalUnanswered: Car & { seller: string; price: Cents }
  sellerUnsigned: Car & { buyer: string; buyerSigned: boolean }
  buyerUnsigned: Car & { seller: string; isConfirmed: boolean }
  /** The seller turned the request down, and the buyer has neither asked again nor withdrawn it. */
  refusalUnanswered: Car
  offerUnanswered: Priced
  counterUnanswered: Priced
  /** `isReopened`: it has had an offer, so the promise of a first one does not apply (R-trades-7). */
  tradeUnanswered: Car & { isReopened?: boolean }
  /** The dealer has not responded to a signed deal. */
  dealUnanswered: ByDealer

  // For the administrator.
  /** A delivery to a dealer failed and is not retried automatically. */
  deliveryParked: { dealer: string; deliveryId: string }
}

export type EventName = keyof EventFacts
