import type { Cents } from '../shared/money.ts'

/** `car` is the car's name ("2003 Honda Accord EX"). */
type Car = { car: string }
type Offered = Car & { buyer: string; price: Cents }
type ByDealer = Car & { dealer: string }
type Priced = Car & { price: Cents }

/**
 * Everything that happens and of which somebody is told, with what its sentences and letters are made of. People are
 * named by their full names, moments are ISO times: who words them knows for whom. A name added here does not compile
 * until the table in events.ts says who hears of it.
 */
export type EventFacts = {
  // A request for a car.
  requestReceived: Offered
  /** The same buyer asked again, at another price or with other trades. */
  requestChanged: Offered & { from: Cents }
  requestWithdrawn: Car & { buyer: string; wasConfirmed: boolean }
  requestConfirmed: Car & { seller: string }
  /** `message`: what the seller wrote, perhaps nothing. */
  requestDenied: Car & { message: string }
  requestReleased: Car & { message: string }
  /** The seller set another price. `from` is null if the car had none. */
  priceChanged: Car & { from: Cents | null; to: Cents }
  /** The seller changed a term of the car; what it was and is, as a person reads it. */
  carChanged: Car & { from: string; to: string }
  listingRemoved: Car
  /** The buyer took a trade-in out of the request. */
  tradeInRemoved: Car & { buyer: string }

  // Messages between the two.
  /** `text`: what was written, for the letter alone. */
  buyerWrote: Car & { buyer: string; text: string }
  sellerWrote: Car & { seller: string; text: string }

  // Signing.
  /** With the seller's signature the hold begins, which ends at `until`; null where the buyer had signed before. */
  sellerSigned: Car & { seller: string; until: string | null }
  /** `isLast`: the seller had signed before, so both have. */
  buyerSigned: Car & { buyer: string; isLast: boolean }
  holdEndsSoon: Car & { until: string }
  holdEnded: Car
  /** Both have signed, and the dealer has the deal. `size` and `root` are those of the evidence log. */
  bothSigned: Car & {
    seller: string
    buyer: string
    packageId: string
    size: number
    root: string
    dealer: { name: string; phone: string | null; hours: string | null }
    /** What happens now, in one sentence. */
    next: string
  }

  // What the dealer says.
  dealerAccepted: ByDealer
  documentNeeded: ByDealer & { document: string }
  /** `time` as the clock at that place says it, without a zone. */
  appointmentMade: ByDealer & { place: string; time: string }
  sellerPaid: ByDealer
  titleReceived: ByDealer
  saleCompleted: ByDealer
  saleCalledOff: ByDealer & { reason: string }

  // A trade.
  tradeAdded: Car
  /** It takes offers again, because one has ended or the administrator has reset it. */
  tradeReopened: Car
  tradeOffered: Priced
  counterOffered: Priced
  offerAccepted: Priced
  /** By Reject or by Forfeit. */
  offerRejected: Car
  offerEndsSoon: Priced & { until: string }
  offerEnded: Priced

  // Reminders: it is still somebody's turn.
  requestUnanswered: Offered
  /** The seller has to sign. */
  sellerUnsigned: Car & { buyer: string; buyerSigned: boolean }
  /** The buyer has to sign. */
  buyerUnsigned: Car & { seller: string; isConfirmed: boolean }
  /** The seller turned the request down, and the buyer has neither asked again nor withdrawn it. */
  refusalUnanswered: Car
  offerUnanswered: Priced
  counterUnanswered: Priced
  /** Without an offer for longer than its owner was promised. */
  tradeUnanswered: Car
  /** The dealer has said nothing about a signed deal. */
  dealUnanswered: ByDealer

  // For the administrator.
  /** What a dealer was to be sent could not be delivered, and is not tried again by itself. */
  deliveryParked: { dealer: string; deliveryId: string }
}

export type EventName = keyof EventFacts
