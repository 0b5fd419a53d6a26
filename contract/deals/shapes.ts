import { z } from 'zod'
import { person } from '../accounts/endpoints.ts'
import { releasedTexts } from '../agreements/agreement.ts'
import { drawing } from '../agreements/drawing.ts'
import { car, carFacts } from '../cars/endpoints.ts'
import { bodyTypes, saleStatuses } from '../cars/rules.ts'
import { deliveryStates } from '../dealers/endpoints.ts'
import { storedPackage1 } from '../frozen/package-1/stored-package.ts'
import { id, isoTime } from '../shared/fields.ts'
import { usd, usdOrUnset } from '../shared/money.ts'
import { photos } from '../shared/photo.ts'
import { trade } from '../trades/endpoints.ts'
import { dealEvent, dealEventNames } from './events.ts'
import { dealerSteps, dealParties } from './rules.ts'

// What calls of deals carry.

/** A page that was opened before this text was released cannot show it, and asks to be loaded again. */
const textVersion = z.string().refine((version) => version in releasedTexts)

const terms = z.object({
  date: isoTime,
  sellerName: z.string(),
  buyerName: z.string(),
  make: z.string(),
  model: z.string(),
  year: z.number(),
  vin: z.string(),
  mileage: z.number(),
  price: usd,
  /** Absent where they were signed under text 2026-11-1. */
  trades: z
    .array(z.object({ vin: z.string(), year: z.number(), make: z.string(), model: z.string(), value: usd }))
    .optional(),
  leftToPay: usd.optional(),
  sellerOwes: z.boolean().optional(),
  textVersion,
})

/** What goes to the dealer's credit desk: no social security number, birth date or income (R-deals-14). */
export const financing = z.object({
  amount: usd.nullable().default(null),
  termMonths: z.int().min(1).max(120).nullable().default(null),
  downPayment: usd.nullable().default(null),
  /** The trade value that `amount` was calculated with; if given, answers adjust `amount` to the deal's present price. */
  tradeValue: usd.nullish(),
  contactConsent: z.boolean().default(false),
})
export type Financing = z.output<typeof financing>

/** What is told of a deal's car beside its VIN. */
const saidOfCar = car.pick({ description: true, condition: true, owners: true, titleHolder: true })

/** What the dealer has said about a deal, and when. */
export const dealerStep = z.object({
  step: z.enum(dealerSteps),
  at: isoTime,
  /** What is missing, in a sentence. */
  document: z.string().optional(),
  place: z.string().optional(),
  /** Of an appointment, as the clock on the wall there says it. */
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
  /** What the buyer has checked; for the seller, and for both once confirmed, what the request includes. */
  tradeVins: z.array(z.string()),
  /** What the request includes: unlike a buyer's own `tradeVins`, this is what the seller sees and confirms. */
  requestTradeVins: z.array(z.string()),
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
  message: z.string(),
  version: z.number(),
  exclusiveUntil: isoTime.nullable(),
  /** The hold ended without the buyer's signature and the seller has not confirmed again. */
  exclusivityExpired: z.boolean(),
  passedAt: isoTime.nullable(),
  pkgId: id.nullable(),
  /** How the deal gets to its dealer; null until both have signed. Once it was taken it stays DELIVERED. */
  delivery: z.enum(deliveryStates).nullable(),
  /** Another buyer is accepted for this car. */
  taken: z.boolean(),
  /** The car was sold to another buyer, and this request has ended with it. */
  soldElsewhere: z.boolean(),
  /** The dealer has called off what both had signed; the last of `dealerSteps` says why. */
  calledOff: z.boolean(),
  /** What would be signed now; null until there is a price, frozen from the first signature on. */
  terms: terms.nullable(),
  seller: person,
  buyer: person,
  dealerName: z.string(),
  /** As the operator has set them. */
  dealerPhone: z.string().nullable(),
  dealerHours: z.string().nullable(),
  /** What the dealer has said, oldest first; the last one may be that it has called off the sale. */
  dealerSteps: z.array(dealerStep),
  /** Of the car's ZIP code, in two letters, where one is given. */
  sellerState: z.string().nullable(),
  /** The database's clock when this was read, for countdowns. */
  now: isoTime,
  carDetails: carFacts.extend({ bodyType: z.enum(bodyTypes).nullable(), photos, ...saidOfCar.shape }),
})
export type Progress = z.output<typeof progress>

export const request = z.object({
  _id: id,
  buyer: person,
  price: usd,
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
  /** What the buyer wrote and the seller has not been shown yet. */
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
  /** The facts behind `from` and `to`. */
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

/** A row of a dashboard: a car, and how the deal stands that the row is about. */
export const dashboardCar = car.extend({
  askingPrice: usdOrUnset,
  /** Of an accepted or completed deal. */
  agreedPrice: usd.nullable(),
  /** A seller's row: the intended buyer's deal, null while nobody asks. A buyer's row: their own. */
  deal: z
    .object({
      price: usd.nullable(),
      sellerSigned: z.boolean(),
      buyerSigned: z.boolean(),
      exclusiveUntil: isoTime.nullable(),
      exclusivityExpired: z.boolean(),
      passedAt: isoTime.nullable(),
    })
    .nullable(),
  /** A buyer's row: the dealer has called off what both had signed. */
  calledOff: z.boolean().optional(),
  /** A seller's row: what the dealer has called off on this car after both had signed, the newest first. */
  calledOffSales: z.array(calledOffSale),
  /** A seller's row: how many requests wait for an answer, and the highest price among them. */
  waitingOffers: z.int(),
  bestOffer: usd.nullable(),
  dealerName: z.string(),
  /** What others wrote on it and this person has not been shown yet; on a seller's row of all who ask. */
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

/** The page of a text that it does not know yet asks to be loaded again. */
const isKnownText = ({ agreement }: { agreement: { textVersion: string } }) =>
  agreement.textVersion in releasedTexts

export const dealPackage = storedPackage1
  .extend({ completed: z.boolean(), completedAt: isoTime.nullable() })
  .refine(isKnownText)
export type DealPackage = z.output<typeof dealPackage>
