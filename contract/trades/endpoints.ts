import { z } from 'zod'
import { carFacts, carFields } from '../cars/endpoints.ts'
import { carBodies } from '../shared/car-illustrations.ts'
import { defineEndpoint } from '../shared/endpoint.ts'
import {
  fieldTexts,
  id,
  isoTime,
  loanFields,
  looseVin,
  message,
  okResponse,
  padZip,
  pageParams,
  version,
  zip,
} from '../shared/fields.ts'
import { type Cents, cents, centsToDollars, dollarsToCents, usd } from '../shared/money.ts'
import { caption, photo, photoId, photoOrder, photos, photoTypes, uploadPlace } from '../shared/photo.ts'
import { photoErrorCodes } from '../shared/photo-texts.ts'
import {
  maxAmountCents,
  parseAmountInDollars,
  tradeEventNames,
  tradeMoveActors,
  tradeStatuses,
  tradeUses,
} from './rules.ts'
import { tradeTexts } from './texts.ts'

export const trade = z.object({
  _id: id,
  vin: z.string(),
  ...carFacts.shape,
  bodyType: z.enum(carBodies).nullable(),
  photos,
  zipCode: z.string(),
  message: z.string(),
  buyerId: id,
  status: z.enum(tradeStatuses),
  price: usd.nullable(),
  /** What is owed on it: null and empty where it is unknown, and for wholesalers (R-trades-38). */
  payoffAmount: usd.nullable().default(null),
  lender: z.string().default(''),
  salesTax: usd.nullable(),
  /** The looked-up rate that the credit uses: `0.0625`, `Unavailable` or `Error`. */
  taxRate: z.string().nullable(),
  /** The date of `taxRate`, as `2026-11-27`; null without a known one. */
  taxRateAsOf: z.string().nullable().default(null),
  /** The state of the ZIP code in two letters, for its tax note. */
  state: z.string().nullable().default(null),
  active: z.boolean(),
  /** Paused: no offer, counter or acceptance for now (R-accounts-64). */
  isPaused: z.boolean().default(false),
  version: z.number(),
  createdAt: isoTime,
  /** Time of the last change of status. */
  movedAt: isoTime,
  /** When the offer expires; null unless the status is OFFERED. */
  offerExpiresAt: isoTime.nullable(),
  /** The offer that expired or was withdrawn unanswered; null after the next move. */
  expiredOffer: z.object({ price: usd, at: isoTime, isWithdrawn: z.boolean().default(false) }).nullable(),
  /** The wholesaler's offer that the owner countered with `price`; null if `price` is an offer. */
  counteredOffer: usd.nullable().default(null),
  /** The request that contains it (R-trades-13); only for its owner. */
  usedFor: z
    .object({
      use: z.enum(tradeUses),
      sellerId: id,
      vin: z.string(),
      year: z.number(),
      make: z.string(),
      carModel: z.string(),
      trim: z.string(),
    })
    .nullish(),
  /** For wholesalers and administrators: whether another owner has a trade with the same VIN. */
  isVinShared: z.boolean().optional(),
  /** For wholesalers: whether the offer, or the countered one, is the reader's. */
  isOwnOffer: z.boolean().optional(),
  /** For the wholesaler of an unanswered offer; null when it can't be withdrawn (R-trades-34). */
  withdrawableUntil: isoTime.nullish(),
  /** For wholesalers and administrators; contact data is null when not needed (R-trades-20). */
  buyer: z
    .object({
      firstName: z.string(),
      lastName: z.string(),
      email: z.string().nullable(),
      phoneNumber: z.string().nullable(),
    })
    .optional(),
})
export type Trade = z.output<typeof trade>

/** An offer or a counter: a positive amount with at most two decimals (R-trades-9). */
export const offerAmount = z.codec(
  z
    .number(tradeTexts.amountInvalid)
    .refine((dollars) => parseAmountInDollars(dollars) !== null, tradeTexts.amountInvalid),
  z.custom<Cents>(Number.isSafeInteger),
  {
    decode: (dollars) => parseAmountInDollars(dollars) ?? cents(0),
    encode: (value) => centsToDollars(value),
  },
)

export const addTrade = defineEndpoint('POST /trades', {
  callers: ['trader'],
  body: z.object({
    ...carFields,
    zipCode: zip,
    message: message.optional(),
    buyerId: z.string().max(64).optional(),
  }),
  response: trade,
  status: 201,
  errors: ['NotFound', 'TradeAlreadyAdded'],
  isIdempotent: true,
})

export const listTradesOfUser = defineEndpoint('GET /trades/user/:userId', {
  callers: ['trader', 'wholesaler', 'administrator'],
  allowsStandby: true,
  adminAct: 'viewedTradesOfPerson',
  params: z.object({ userId: id }),
  response: z.array(trade),
  errors: ['NotFound'],
})

export const availableTrade = z.object({
  _id: id,
  vin: z.string(),
  year: z.number(),
  make: z.string(),
  model: z.string(),
  price: usd,
  payoff: z.boolean().default(false),
  payoffAmount: usd.nullable().default(null),
})
export type AvailableTrade = z.output<typeof availableTrade>

export const listAvailableTrades = defineEndpoint('GET /trades/available/:userId', {
  callers: ['trader'],
  params: z.object({ userId: id }),
  /** The car being bought: trades in the caller's own request for it count as available too. */
  query: z.object({ vin: looseVin.optional() }),
  response: z.array(availableTrade),
  errors: ['NotFound'],
})

export const listTrades = defineEndpoint('GET /trades', {
  callers: ['wholesaler', 'administrator'],
  allowsStandby: true,
  adminAct: 'viewedTrades',
  query: pageParams.extend({
    status: z
      .string()
      .toUpperCase()
      .pipe(z.enum(['ALL', ...tradeStatuses]))
      .default('ALL'),
  }),
  response: z.array(trade),
})

/**
 * Fields of every body. The server computes `salesTax` and `active` and ignores submitted values.
 */
const seen = { vin: looseVin.optional(), version }

/** Offers and counters have a price; an acceptance may repeat the accepted one. */
export const tradeMoveRequest = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['OFFERED', 'OFFER']), price: offerAmount, ...seen }),
  z.object({ status: z.literal('ACCEPTED'), price: offerAmount.nullish(), ...seen }),
  z.object({ status: z.enum(['PENDING', 'REJECTED']), ...seen }),
])
export type TradeMoveRequest = z.output<typeof tradeMoveRequest>

export const moveTrade = defineEndpoint('PATCH /trades/:tradeId', {
  callers: ['trader', 'wholesaler', 'operator'],
  adminAct: 'movedTrade',
  params: z.object({ tradeId: id }),
  body: tradeMoveRequest,
  response: trade,
  errors: [
    'NotFound',
    'InvalidTransition',
    'TradePaused',
    'StaleVersion',
    'OfferExpired',
    'OfferWithdrawn',
    'WithdrawalOver',
    'AlreadyWithdrawn',
  ],
  isIdempotent: true,
})

export const tradeEvent = z.object({
  at: isoTime,
  actor: z.enum(tradeMoveActors),
  name: z.string().optional(),
  event: z.enum(tradeEventNames),
  status: z.enum(tradeStatuses),
  price: usd.nullable(),
  salesTax: usd.nullable(),
  taxRate: z.string().nullable(),
  version: z.number(),
})
export type TradeEvent = z.output<typeof tradeEvent>

/** Oldest first. */
export const readTradeHistory = defineEndpoint('GET /trades/:tradeId/history', {
  callers: ['trader', 'wholesaler', 'administrator'],
  adminAct: 'viewedTrade',
  params: z.object({ tradeId: id }),
  response: z.array(tradeEvent),
  errors: ['NotFound'],
})

export const deleteTrade = defineEndpoint('DELETE /trades/:vin', {
  callers: ['trader'],
  params: z.object({ vin: looseVin }),
  query: z.object({ version: z.coerce.number().int().min(1).optional() }),
  body: z.object({ version }).optional(),
  response: okResponse,
  errors: ['NotFound', 'DealInProgress', 'TradeSold', 'StaleVersion'],
  isIdempotent: true,
})

const tradeId = z.object({ tradeId: id })
const photoOfTrade = tradeId.extend({ photoId })

/** Changes what the owner owes on it; a missing amount or lender is unknown (R-trades-39). */
export const setTradeLoan = defineEndpoint('PUT /trades/loan/:tradeId', {
  callers: ['trader'],
  params: tradeId,
  body: z.object({ payoff: z.boolean(), ...loanFields, version }),
  response: trade,
  errors: ['NotFound', 'DealInProgress', 'TradeSold', 'StaleVersion'],
  isIdempotent: true,
})

/** Idempotent: 200 instead of 201 when the photo already exists (decision 27). */
export const addTradePhoto = defineEndpoint('POST /trades/photos/:tradeId', {
  callers: ['trader'],
  params: tradeId,
  query: uploadPlace,
  uploads: photoTypes,
  response: z.object({ photo, trade }),
  status: 201,
  existingDescription: 'The photo was there already.',
  errors: ['NotFound', 'PhotosFixed', ...photoErrorCodes],
})

export const orderTradePhotos = defineEndpoint('PUT /trades/photos/:tradeId/order', {
  callers: ['trader'],
  params: tradeId,
  body: photoOrder,
  response: trade,
  errors: ['NotFound', 'PhotosFixed', 'StaleVersion'],
  isIdempotent: true,
})

export const captionTradePhoto = defineEndpoint('PATCH /trades/photos/:tradeId/:photoId', {
  callers: ['trader'],
  params: photoOfTrade,
  body: z.object({ caption }),
  response: trade,
  errors: ['NotFound', 'PhotosFixed'],
  isIdempotent: true,
})

export const deleteTradePhoto = defineEndpoint('DELETE /trades/photos/:tradeId/:photoId', {
  callers: ['trader'],
  params: photoOfTrade,
  response: trade,
  errors: ['NotFound', 'PhotosFixed'],
  isIdempotent: true,
})

/** A ZIP code in a URL: 501 is 00501. Whether it exists is not checked here. */
const requestedZip = z
  .string(fieldTexts.zipCode)
  .regex(/^ *(\d{1,5}|\d{5}-?\d{4}) *$/, fieldTexts.zipCode)
  .overwrite(padZip)

/** A price in a URL; zero means that there is none yet. */
const basePrice = z.codec(
  z.string(fieldTexts.price).regex(/^\d{1,8}(\.\d{1,2})?$/, fieldTexts.price),
  z.custom<Cents>(
    (value) => Number.isSafeInteger(value) && Number(value) <= maxAmountCents,
    fieldTexts.price,
  ),
  { decode: (text) => dollarsToCents(Number(text)), encode: (value) => String(centsToDollars(value)) },
)

export const taxRate = z.object({
  zip_code: z.string(),
  state: z.string(),
  /** A decimal, or `Unavailable` or `Error`. */
  state_rate: z.string(),
  credit: usd,
  total: usd,
  /** The rate's source and date; null if there is none. */
  source: z.string().nullable(),
  as_of: z.string().nullable(),
})
export type TaxRate = z.output<typeof taxRate>

export const lookUpTaxRate = defineEndpoint('GET /tax', {
  callers: ['verified', 'administrator'],
  adminAct: null,
  query: z.object({ zipCode: requestedZip, basePrice }),
  response: z.array(taxRate),
  errors: ['UnknownZip'],
})
