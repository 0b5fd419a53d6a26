import { z } from 'zod'
import { person } from '../accounts/endpoints.ts'
import { car, carDetails, carFacts } from '../cars/endpoints.ts'
import { saleStatuses } from '../cars/rules.ts'
import { ownWords1 } from '../frozen/own-agreement-1/sheet.ts'
import { id, isoTime } from '../shared/fields.ts'
import { usd, usdOrUnset } from '../shared/money.ts'
import { drawing } from '../shared/signature-drawing.ts'
import { trade } from '../trades/endpoints.ts'
import { dealEvent, dealEventNames } from './events.ts'
import { dealerSteps, dealParties, deliveryStates } from './rules.ts'
import { isTextVersion } from './terms.ts'

// Shared request and response shapes of the deal endpoints.

/** A page loaded before this text was released cannot show it and must be reloaded. */
const textVersion = z.string().refine(isTextVersion)

const terms = z.object({
  date: isoTime,
  /** The calendar date where the car is, and the name of its time zone. */
  day: z.iso.date().optional(),
  zone: z.string().optional(),
  sellerName: z.string(),
  buyerName: z.string(),
  make: z.string(),
  model: z.string(),
  year: z.number(),
  vin: z.string(),
  mileage: z.number(),
  price: usd,
  /** Absent in terms signed under text 2026-11-1. */
  trades: z
    .array(
      z.object({
        vin: z.string(),
        year: z.number(),
        make: z.string(),
        model: z.string(),
        value: usd,
        owes: z.boolean().optional(),
        payoffAmount: usd.nullish(),
        lender: z.string().optional(),
      }),
    )
    .optional(),
  leftToPay: usd.optional(),
  sellerOwes: z.boolean().optional(),
  sellerPayoffAmount: usd.nullish(),
  sellerLender: z.string().optional(),
  textVersion,
  /** The operator's text, if the version names one. */
  words: ownWords1.optional(),
})

/** For the dealer's credit desk: no social security number, birth date or income (R-deals-14). */
export const financing = z.object({
  amount: usd.nullable().default(null),
  termMonths: z.int().min(1).max(120).nullable().default(null),
  downPayment: usd.nullable().default(null),
  /**
   * The trade value that `amount` was calculated with. If given, responses adjust `amount` to the
   * current price.
   */
  tradeValue: usd.nullish(),
  contactConsent: z.boolean().default(false),
})
export type Financing = z.output<typeof financing>

export const dealerStep = z.object({
  step: z.enum(dealerSteps),
  at: isoTime,
  /** The missing document, as a sentence. */
  document: z.string().optional(),
  place: z.string().optional(),
  /** Local time at the appointment's place. */
  time: z.string().optional(),
  reason: z.string().optional(),
})
export type DealerStep = z.output<typeof dealerStep>

export const progress = z.object({
  _id: id,
  sellerId: id,
  buyerId: id,
  vin: z.string(),
  completed: z.boolean(),
  /**
   * For the buyer, the trades that they have checked; for the seller, the trades in the request.
   * Once the buyer is confirmed, both get those in the request.
   */
  tradeVins: z.array(z.string()),
  /** Trades in the request, which the seller confirms; a buyer's `tradeVins` may differ. */
  requestTradeVins: z.array(z.string()),
  /** Trades in the request on which the buyer still owes money (R-trades-38). */
  owedTradeVins: z.array(z.string()).default([]),
  pendingTradeInApproval: z.boolean(),
  activeBuyerStep: z.number(),
  buyerStep1: z.boolean(),
  buyerStep2: z.boolean(),
  buyerStep3: z.boolean(),
  buyerStep4: z.boolean(),
  buyerStep5: z.boolean(),
  buyerStep6: z.boolean(),
  sellerStep0: z.boolean(),
  sellerStep1: z.boolean(),
  sellerStep2: z.boolean(),
  sellerStep3: z.boolean(),
  /** True as soon as either side has signed (R-deals-35). */
  agreementSigned: z.boolean(),
  /** True when both have signed the same terms; every further step depends on this. */
  fullySigned: z.boolean(),
  sellerSigned: z.boolean(),
  sellerSignedName: z.string().nullable(),
  sellerSignature: z.string().nullable(),
  sellerDrawing: drawing.nullable(),
  sellerSignedAt: isoTime.nullable(),
  buyerSigned: z.boolean(),
  buyerSignedName: z.string().nullable(),
  buyerSignature: z.string().nullable(),
  buyerDrawing: drawing.nullable(),
  buyerSignedAt: isoTime.nullable(),
  hasTrade: z.boolean().nullable(),
  needsFinancing: z.boolean().nullable(),
  financing: financing.nullable(),
  status: z.enum(saleStatuses).nullable(),
  price: usdOrUnset,
  askingPrice: usdOrUnset,
  /** Another price that the seller proposes for a pending request; null without one. */
  proposedPrice: usd.nullable().default(null),
  message: z.string(),
  version: z.number(),
  exclusiveUntil: isoTime.nullable(),
  /** The hold ended without the buyer's signature and the seller has not confirmed again. */
  exclusivityExpired: z.boolean(),
  passedAt: isoTime.nullable(),
  pkgId: id.nullable(),
  /** Status of the delivery to the dealer; null until both have signed. DELIVERED is final. */
  delivery: z.enum(deliveryStates).nullable(),
  /** Another buyer is accepted for this car. */
  taken: z.boolean(),
  /** The car was sold to another buyer, which ended this request. */
  soldElsewhere: z.boolean(),
  /** The dealer has called off the signed deal; the last of `dealerSteps` gives the reason. */
  calledOff: z.boolean(),
  /** The account of a party is suspended, so the deal is paused (R-deals-117). */
  isPaused: z.boolean().default(false),
  /** Whom to write to about a paused deal; null for any other. */
  pausedContact: z.string().nullable().default(null),
  /** The terms that would be signed now; null without a price, frozen by the first signature. */
  terms: terms.nullable(),
  seller: person,
  buyer: person,
  dealerName: z.string(),
  /** As configured by the operator. */
  dealerAddress: z.string().nullable().default(null),
  dealerPhone: z.string().nullable(),
  dealerHours: z.string().nullable(),
  /** The dealer's steps, oldest first; the last one may call off the sale. */
  dealerSteps: z.array(dealerStep),
  /** Two letters, derived from the car's ZIP code; null without one. */
  sellerState: z.string().nullable(),
  /** The database's clock when this was read, for countdowns. */
  now: isoTime,
  carDetails,
})
export type Progress = z.output<typeof progress>

export const request = z.object({
  _id: id,
  buyer: person,
  price: usd,
  /** The seller's unanswered proposal to this buyer; null if there is none. */
  proposedPrice: usd.nullable().default(null),
  trades: z.array(trade),
  needsFinancing: z.boolean().nullable(),
  financing: financing.nullable(),
  status: z.enum(saleStatuses),
  message: z.string(),
  createdAt: isoTime,
  version: z.number(),
  buyerSigned: z.boolean(),
  /** The buyer signed an earlier form of this request; that signature no longer counts. */
  buyerSignatureVoided: z.boolean(),
  /** The hold ended without the buyer's signature and the seller has not confirmed again. */
  exclusivityExpired: z.boolean(),
  isPaused: z.boolean().default(false),
  /** Number of the buyer's messages that the seller has not seen. */
  newMessages: z.int(),
})
export type Request = z.output<typeof request>

export const timelineEntry = z.object({
  at: isoTime,
  actor: z.enum(dealParties),
  name: z.string().optional(),
  event: z.enum(dealEventNames),
  from: z.string().optional(),
  to: z.string().optional(),
  facts: dealEvent,
})
export type TimelineEntry = z.output<typeof timelineEntry>

const calledOffSale = z.object({
  _id: id,
  buyerId: id,
  buyer: z.string(),
  dealer: z.string(),
  reason: z.string(),
  at: isoTime,
})
export type CalledOffSale = z.output<typeof calledOffSale>

/** A row of a dashboard: a car, and the status of the deal that the row shows. */
export const dashboardCar = car.extend({
  askingPrice: usdOrUnset,
  agreedPrice: usd.nullable(),
  /** A seller's row: the intended buyer's deal, null without requests. A buyer's row: their own. */
  deal: z
    .object({
      price: usd.nullable(),
      proposedPrice: usd.nullable().default(null),
      sellerSigned: z.boolean(),
      buyerSigned: z.boolean(),
      exclusiveUntil: isoTime.nullable(),
      exclusivityExpired: z.boolean(),
      isPaused: z.boolean().default(false),
      passedAt: isoTime.nullable(),
      /** The dealer's last step; null before the first one. */
      dealerStep: dealerStep.nullable().default(null),
    })
    .nullable(),
  /** A buyer's row: the dealer has called off the signed deal. */
  calledOff: z.boolean().optional(),
  /** A seller's row: signed sales of this car that the dealer called off, newest first. */
  calledOffSales: z.array(calledOffSale),
  /** A seller's row: the number of unanswered requests that are not paused, and their highest price. */
  waitingOffers: z.int(),
  bestOffer: usd.nullable(),
  /** A seller's row: the number of denied requests, whose buyers may ask again. */
  deniedRequests: z.int().default(0),
  dealerName: z.string(),
  /** Number of messages that this person has not seen; on a seller's row from all requesters. */
  newMessages: z.int(),
})
export type DashboardCar = z.output<typeof dashboardCar>

const nameOnly = z.object({ _id: id, firstName: z.string(), lastName: z.string() })

export const soldCar = z.object({
  _id: id,
  sellerId: nameOnly,
  buyerId: nameOnly,
  vin: z.string(),
  completed: z.boolean(),
  tradeVins: z.array(z.string()),
  carDetails: carFacts.pick({ make: true, carModel: true, year: true }),
})
export type SoldCar = z.output<typeof soldCar>

/** As configured by the operator; null values are not displayed. */
export type DealerContact = { name: string; phone: string | null; hours: string | null }
