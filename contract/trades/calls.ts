import { z } from 'zod'
import { carFields } from '../cars/calls.ts'
import { call } from '../kit/call.ts'
import { anyVin, fieldTexts, id, isoTime, message, ok, padZip, version, zip } from '../kit/fields.ts'
import { type Cents, cents, dollars, inDollars, usd } from '../kit/money.ts'
import { amountOf, maxAmountCents, tradeEventNames, tradeParties, tradeStatuses } from './rules.ts'
import { tradeTexts } from './texts.ts'

export const trade = z.object({
  _id: id,
  vin: z.string(),
  make: z.string(),
  carModel: z.string(),
  year: z.number(),
  trim: z.string(),
  mileage: z.number(),
  color: z.string(),
  zipCode: z.string(),
  payoff: z.boolean(),
  message: z.string(),
  buyerId: id,
  status: z.enum(tradeStatuses),
  price: usd.nullable(),
  salesTax: usd.nullable(),
  /** The rate the credit was computed with, as the look-up gave it: `0.0625`, `Unavailable` or `Error`. */
  taxRate: z.string().nullable(),
  active: z.boolean(),
  version: z.number(),
  createdAt: isoTime,
  /** Since when it has this status: how long somebody has been waiting. */
  movedAt: isoTime,
  /** Until when an offer stands; null unless it is OFFERED. */
  offerExpiresAt: isoTime.nullable(),
  /** For wholesalers and administrators; how to reach the owner is null once it is nobody's business (R-trades-20). */
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
    .refine((dollars) => amountOf(dollars) !== null, tradeTexts.amountInvalid),
  z.custom<Cents>(Number.isSafeInteger),
  { decode: (dollars) => amountOf(dollars) ?? cents(0), encode: (value) => inDollars(value) },
)

export const addTrade = call('POST /trades', {
  who: ['trader'],
  body: z.object({
    ...carFields,
    zipCode: zip,
    message: message.optional(),
    buyerId: z.string().max(64).optional(),
  }),
  answer: trade,
  status: 201,
  refuses: ['NotFound', 'TradeAlreadyAdded'],
  once: true,
})

export const tradesOfUser = call('GET /trades/user/:userId', {
  who: ['trader', 'wholesaler', 'administrator'],
  params: z.object({ userId: id }),
  answer: z.array(trade),
  refuses: ['NotFound'],
})

export const availableTrade = z.object({
  _id: id,
  vin: z.string(),
  year: z.number(),
  make: z.string(),
  model: z.string(),
  price: usd,
})
export type AvailableTrade = z.output<typeof availableTrade>

export const availableTrades = call('GET /trades/available/:userId', {
  who: ['trader'],
  params: z.object({ userId: id }),
  /** The car being bought: trades in one's own request for it count as available too. */
  query: z.object({ vin: anyVin.optional() }),
  answer: z.array(availableTrade),
  refuses: ['NotFound'],
})

export const allTrades = call('GET /trades', {
  who: ['wholesaler', 'administrator'],
  query: z.object({
    status: z
      .string()
      .toUpperCase()
      .pipe(z.enum(['ALL', ...tradeStatuses]))
      .default('ALL'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(200).optional(),
  }),
  answer: z.array(trade),
})

/** What comes with every wish. `salesTax` and `active` are the server's: whatever is sent for them is not read. */
const seen = { vin: anyVin.optional(), version }

/** A price belongs to an offer or a counter; with an acceptance it says which offer was meant; elsewhere it is not read. */
export const tradeWish = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['OFFERED', 'OFFER']), price: offerAmount, ...seen }),
  z.object({ status: z.literal('ACCEPTED'), price: offerAmount.nullish(), ...seen }),
  z.object({ status: z.enum(['PENDING', 'REJECTED']), ...seen }),
])
export type TradeWish = z.output<typeof tradeWish>

export const moveTrade = call('PATCH /trades/:tradeId', {
  who: ['trader', 'wholesaler', 'administrator'],
  params: z.object({ tradeId: id }),
  body: tradeWish,
  answer: trade,
  refuses: ['NotFound', 'InvalidTransition', 'StaleVersion', 'OfferExpired'],
  once: true,
})

export const tradeEvent = z.object({
  at: isoTime,
  actor: z.enum(tradeParties),
  name: z.string().optional(),
  event: z.enum(tradeEventNames),
  /** What the trade became by it. */
  status: z.enum(tradeStatuses),
  price: usd.nullable(),
  salesTax: usd.nullable(),
  taxRate: z.string().nullable(),
  version: z.number(),
})
export type TradeEvent = z.output<typeof tradeEvent>

/** Oldest first: as it came about. */
export const tradeHistory = call('GET /trades/:tradeId/history', {
  who: ['trader', 'wholesaler', 'administrator'],
  params: z.object({ tradeId: id }),
  answer: z.array(tradeEvent),
  refuses: ['NotFound'],
})

export const deleteTrade = call('DELETE /trades/:vin', {
  who: ['trader'],
  params: z.object({ vin: anyVin }),
  query: z.object({ version: z.coerce.number().int().min(1).optional() }),
  body: z.object({ version }).optional(),
  answer: ok,
  refuses: ['NotFound', 'DealInProgress', 'StaleVersion'],
  once: true,
})

/** A zip code in an address: 501 is 00501; whether it exists is another question. */
const askedZip = z
  .string(fieldTexts.zipCode)
  .regex(/^ *(\d{1,5}|\d{5}-?\d{4}) *$/, fieldTexts.zipCode)
  .overwrite(padZip)

/** A price in an address; zero is one that nobody has named yet. */
const basePrice = z.codec(
  z.string(fieldTexts.price).regex(/^\d{1,8}(\.\d{1,2})?$/, fieldTexts.price),
  z.custom<Cents>(
    (value) => Number.isSafeInteger(value) && Number(value) <= maxAmountCents,
    fieldTexts.price,
  ),
  { decode: (text) => dollars(Number(text)), encode: (value) => String(inDollars(value)) },
)

export const taxRate = z.object({
  zip_code: z.string(),
  state: z.string(),
  /** A decimal, or `Unavailable` or `Error`. */
  state_rate: z.string(),
  credit: usd,
  total: usd,
  /** Where the rate is from and as of when; null when it has none. */
  source: z.string().nullable(),
  as_of: z.string().nullable(),
})
export type TaxRate = z.output<typeof taxRate>

export const lookUpTax = call('GET /tax', {
  who: ['verified', 'administrator'],
  query: z.object({ zipCode: askedZip, basePrice }),
  answer: z.array(taxRate),
  refuses: ['UnknownZip'],
})
