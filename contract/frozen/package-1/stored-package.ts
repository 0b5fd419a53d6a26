import { z } from 'zod'

// Version 1 of what both have signed, as it is stored and logged. Released: never edited. A change is a new version
// (docs/how-to.md).

type Cents = number & { readonly unit: 'cents' }

/** Dollars in JSON, whole cents in memory. */
const usd = z.codec(z.number().multipleOf(0.01), z.custom<Cents>(Number.isSafeInteger), {
  decode: (dollars) => Math.round(dollars * 100) as Cents,
  encode: (cents) => cents / 100,
})

const id = z.string().regex(/^[0-9a-f]{24}$/)
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const time = z.iso.datetime()

const person = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
})

/** Its name is the SHA-256 of its largest file. */
const photo = z.object({
  id: digest,
  width: z.int(),
  height: z.int(),
  placeholder: z.string(),
  caption: z.string(),
})

const car = z.object({
  vin: z.string(),
  make: z.string(),
  carModel: z.string(),
  year: z.number(),
  trim: z.string(),
  mileage: z.number(),
  color: z.string(),
  payoff: z.boolean(),
  photos: z.array(photo),
})

/** The terms of each text that was released when this version was; the first one had no trades and no loan in them. */
const terms = z.object({
  date: time,
  sellerName: z.string(),
  buyerName: z.string(),
  make: z.string(),
  model: z.string(),
  year: z.number(),
  vin: z.string(),
  mileage: z.number(),
  price: usd,
  trades: z
    .array(z.object({ vin: z.string(), year: z.number(), make: z.string(), model: z.string(), value: usd }))
    .optional(),
  leftToPay: usd.optional(),
  sellerOwes: z.boolean().optional(),
  textVersion: z.string(),
})

/** Strokes, as the path of an SVG in a box of 600 by 200. */
const drawing = z
  .string()
  .max(8000)
  .regex(/^(?:M(\d{1,3}) (\d{1,3})l(-?\d{1,3} -?\d{1,3}(?: -?\d{1,3} -?\d{1,3})*))+$/)

const signature = z.object({
  name: z.string(),
  signature: z.string(),
  /** Absent where none was drawn. */
  drawing: drawing.optional(),
  signedAt: time,
  /** Of the row of evidence, as it stands in the log. */
  digest,
})

const financing = z.object({
  amount: usd.nullable(),
  termMonths: z.int().min(1).max(120).nullable(),
  downPayment: usd.nullable(),
  tradeValue: usd.nullish(),
  contactConsent: z.boolean(),
})

const trade = z.object({
  _id: id,
  vin: z.string(),
  make: z.string(),
  carModel: z.string(),
  year: z.number(),
  trim: z.string(),
  mileage: z.number(),
  color: z.string(),
  bodyType: z
    .enum(['sedan', 'coupe', 'hatchback', 'wagon', 'suv', 'pickup', 'van', 'convertible'])
    .nullable(),
  photos: z.array(photo),
  zipCode: z.string(),
  payoff: z.boolean(),
  message: z.string(),
  buyerId: id,
  status: z.enum(['PENDING', 'OFFERED', 'OFFER', 'ACCEPTED', 'REJECTED']),
  price: usd.nullable(),
  salesTax: usd.nullable(),
  /** The rate that the credit was computed with, as looked up: `0.0625`, `Unavailable` or `Error`. */
  taxRate: z.string().nullable(),
  active: z.boolean(),
  version: z.number(),
  createdAt: time,
  movedAt: time,
  offerExpiresAt: time.nullable(),
  expiredOffer: z.object({ price: usd, at: time }).nullable(),
})

export const storedPackage1 = z.object({
  _id: id,
  createdAt: time,
  dealer: z.string(),
  seller: person,
  buyer: person,
  car,
  price: usd,
  agreement: z.object({
    terms,
    /** What both signed, byte for byte. */
    sheet: z.string(),
    /** SHA-256 of the sheet. */
    hash: digest,
    textVersion: z.string(),
    seller: signature,
    buyer: signature,
  }),
  financing: financing.nullable(),
  trades: z.array(trade),
})
export type StoredPackage1 = z.output<typeof storedPackage1>
