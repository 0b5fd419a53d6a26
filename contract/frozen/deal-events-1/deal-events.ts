import { z } from 'zod'

// What happens on a deal, as the facts that are stored and hashed: money in cents, cars and trades field by field. Released:
// never edited. A change is a new version (docs/how-to.md).

type Cents = number & { readonly unit: 'cents' }

const id = z.string().regex(/^[0-9a-f]{24}$/)

const carFacts = z.object({
  year: z.number(),
  make: z.string(),
  carModel: z.string(),
  mileage: z.number(),
  payoff: z.boolean(),
})
const tradeFacts = z.object({
  _id: id,
  vin: z.string(),
  year: z.number(),
  make: z.string(),
  carModel: z.string(),
  trim: z.string(),
})
/** With the photos of the car that the signer was shown, where there were any. */
const signed = { name: z.string(), photos: z.array(z.string().regex(/^[0-9a-f]{64}$/)).optional() }
/** By its name at the time. */
const byDealer = { dealer: z.string() }

const happened = <const Name extends string, Facts extends z.ZodRawShape>(event: Name, facts: Facts) =>
  z.object({ event: z.literal(event), ...facts })

/** `money`: how an amount is written. */
const eventsWith = <Money extends z.ZodType<Cents>>(money: Money) =>
  [
    happened('started', {}),
    happened('requested', { price: money }),
    happened('repriced', { from: money.nullable(), to: money }),
    happened('tradesChanged', { from: z.array(tradeFacts), to: z.array(tradeFacts) }),
    happened('confirmed', { price: money }),
    happened('denied', { message: z.string() }),
    happened('released', { message: z.string() }),
    happened('withdrawn', {}),
    happened('sellerSigned', signed),
    happened('buyerSigned', signed),
    happened('termsChanged', { from: carFacts, to: carFacts }),
    happened('priceChanged', { from: money.nullable(), to: money }),
    happened('lapsed', {}),
    happened('passed', { dealer: z.string() }),
    happened('soldElsewhere', {}),
    happened('tradeRemoved', { trade: tradeFacts }),
    happened('listingRemoved', { reason: z.string().nullable() }),
    happened('dealerAccepted', byDealer),
    happened('documentNeeded', { ...byDealer, document: z.string() }),
    happened('appointmentMade', { ...byDealer, place: z.string(), time: z.string() }),
    happened('sellerPaid', byDealer),
    happened('titleReceived', byDealer),
    happened('dealerCancelled', { ...byDealer, reason: z.string() }),
  ] as const

/** By the dealer that is named, or by an administrator. */
const completed = { dealer: z.string().optional() }

export const storedDealEvent1 = z.discriminatedUnion('event', [
  ...eventsWith(z.custom<Cents>(Number.isSafeInteger)),
  happened('completed', { ...completed, by: z.string().optional() }),
])

/** The same as it is answered: which administrator completed a deal is shown to nobody. */
export const shownDealEvent1 = <Money extends z.ZodType<Cents>>(money: Money) =>
  z.discriminatedUnion('event', [...eventsWith(money), happened('completed', completed)])
