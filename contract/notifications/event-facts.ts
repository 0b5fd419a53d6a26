import type { Cents } from '../shared/money.ts'

/** `car` is the car's name ("2003 Honda Accord EX"). */
type Car = { car: string }
type Offered = Car & { buyer: string; price: Cents }
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
  /** The same buyer asked again, with a different price or different trades. */
  requestChanged: Offered & { from: Cents }
  requestWithdrawn: Car & { buyer: string; wasConfirmed: boolean }
  requestConfirmed: Car & { seller: string }
  /** `message`: the seller's note, possibly empty. */
  requestDenied: Car & { message: string }
  requestReleased: Car & { message: string }
  /** The seller changed the price. `from` is null if the car had none. */
  priceChanged: Car & { from: Cents | null; to: Cents }
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
  /** `isLast`: the seller had already signed, so now both have. */
  buyerSigned: Car & { buyer: string; isLast: boolean }
  holdEndsSoon: Car & { until: string }
  holdEnded: Car
  /** The deal goes to the dealer. `size` and `root` are those of the evidence log. */
  bothSigned: Car & {
    seller: string
    buyer: string
    packageId: string
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

  // A trade.
  tradeAdded: Car
  /**
   * The trade accepts offers again, because an offer has ended or the administrator has reset it.
   */
  tradeReopened: Car
  tradeOffered: Priced
  counterOffered: Priced
  offerAccepted: Priced
  offerRejected: Car
  offerEndsSoon: Priced & { until: string }
  offerEnded: Priced

  // Reminders: a party still has to act.
  requestUnanswered: Offered
  sellerUnsigned: Car & { buyer: string; buyerSigned: boolean }
  buyerUnsigned: Car & { seller: string; isConfirmed: boolean }
  /** The seller turned the request down, and the buyer has neither asked again nor withdrawn it. */
  refusalUnanswered: Car
  offerUnanswered: Priced
  counterUnanswered: Priced
  /** The trade has had no offer for longer than its owner was promised. */
  tradeUnanswered: Car
  /** The dealer has not responded to a signed deal. */
  dealUnanswered: ByDealer

  // For the administrator.
  /** A delivery to a dealer failed and is not retried automatically. */
  deliveryParked: { dealer: string; deliveryId: string }
}

export type EventName = keyof EventFacts
