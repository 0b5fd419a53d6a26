import { z } from 'zod'
import { person } from '../accounts/endpoints.ts'
import { carBodies } from '../shared/car-illustrations.ts'
import { defineEndpoint } from '../shared/endpoint.ts'
import {
  fieldTexts,
  id,
  isoTime,
  line,
  loanFields,
  looseVin,
  message,
  mileage,
  okResponse,
  pageParams,
  paragraphs,
  price,
  version,
  vin,
  year,
  zip,
} from '../shared/fields.ts'
import { type Cents, cents, maxPriceDollars, usd, usdOrUnset } from '../shared/money.ts'
import { caption, photo, photoId, photoOrder, photos, photoTypes, uploadPlace } from '../shared/photo.ts'
import { photoErrorCodes } from '../shared/photo-texts.ts'
import { hasVisibleCharacter } from '../shared/visible-text.ts'
import { saleStatuses, titleHolders } from './rules.ts'

/** 0 or a missing value means that the car is not priced yet (R-cars-2). */
export const askingPrice = z.codec(
  z.int(fieldTexts.price).min(0, fieldTexts.price).max(maxPriceDollars, fieldTexts.price).nullish(),
  z.custom<Cents>(Number.isSafeInteger).nullable(),
  {
    decode: (given) => (given ? cents(given * 100) : null),
    encode: (value) => (value === null ? null : value / 100),
  },
)

/** Fields that a person enters about a car, in Add A Car and for a trade (R-cars-1). */
export const carFields = {
  vin,
  make: line(64, fieldTexts.make),
  carModel: line(64, fieldTexts.model),
  year,
  /** Some trims are a single symbol: the Kia Soul has `+` and `!`. */
  trim: line(64, fieldTexts.trim, hasVisibleCharacter),
  mileage,
  color: line(64, fieldTexts.color),
  payoff: z.boolean(),
  ...loanFields,
}

/** `carFields` in a response, for any vehicle. */
export const carFacts = z.object({
  make: z.string(),
  carModel: z.string(),
  year: z.number(),
  trim: z.string(),
  mileage: z.number(),
  color: z.string(),
  payoff: z.boolean(),
})

/** Optional details from the seller (R-cars-29). */
export const optionalDetails = z.object({
  description: message.default(''),
  condition: paragraphs(300, fieldTexts.condition).default(''),
  /** Number of owners so far, including the seller. */
  owners: z
    .int(fieldTexts.owners)
    .min(1, fieldTexts.owners)
    .max(99, fieldTexts.owners)
    .nullable()
    .default(null),
  titleHolder: z.enum(titleHolders).nullable().default(null),
})
export type OptionalDetails = z.output<typeof optionalDetails>
export type DetailName = keyof OptionalDetails

/** `optionalDetails` in a response; empty or null where the seller left them out. */
const responseDetails = {
  description: z.string(),
  condition: z.string(),
  owners: z.number().nullable(),
  titleHolder: z.enum(titleHolders).nullable(),
} satisfies Record<DetailName, z.ZodType>

/** Details of a car for everybody who can see it. */
export const carDetails = carFacts.extend({
  /** Null when the VIN was never looked up, or no illustration fits. */
  bodyType: z.enum(carBodies).nullable(),
  photos,
  ...responseDetails,
})
export type CarDetails = z.output<typeof carDetails>

export const publicCar = z.object({
  _id: id,
  sellerId: id,
  vin: z.string(),
  ...carDetails.shape,
  price: usdOrUnset,
  status: z.enum(saleStatuses).nullable(),
  zipCode: z.string().nullable(),
  version: z.number(),
  createdAt: isoTime,
})

export type PublicCar = z.output<typeof publicCar>

/** A car as a party sees it, including fields that the public page omits. */
export const car = publicCar.extend({
  buyerId: id.nullable(),
  message: z.string(),
  /** What the seller owes on it, only for the seller: null and empty where it is unknown. */
  payoffAmount: usd.nullish(),
  lender: z.string().optional(),
  /** True while a buyer other than the caller is accepted. */
  taken: z.boolean(),
  /** On a buyer's row: their request ended because the car was sold to another buyer. */
  soldElsewhere: z.boolean().optional(),
  /** On a buyer's row: both have signed. */
  fullySigned: z.boolean().optional(),
  /** On a buyer's row: the version of their own request; on a seller's row: the car's. */
  requestVersion: z.number().nullable(),
})

export type Car = z.output<typeof car>

/** The whole car for its parties, and only the public fields for everybody else. */
export const sharedCar = publicCar.extend({
  buyerId: id.nullable().optional(),
  message: z.string().optional(),
  taken: z.boolean().optional(),
  requestVersion: z.number().nullable().optional(),
})

const sellerAndVin = z.object({ userId: id, vin: looseVin })

export const addCar = defineEndpoint('POST /cars/input', {
  callers: ['trader'],
  scope: 'cars:write',
  body: z.object({
    ...carFields,
    price: askingPrice,
    message: message.optional(),
    zipCode: z.union([z.literal('').overwrite(() => ''), z.literal(0), zip]).optional(),
    sellerId: z.string().max(64).optional(),
  }),
  response: car,
  status: 201,
  errors: ['NotFound', 'VinAlreadyListed'],
  isIdempotent: true,
})

export const readPublicCar = defineEndpoint('GET /cars/public/:userId/:vin', {
  callers: ['anyone'],
  allowsStandby: true,
  scope: 'cars:read',
  params: sellerAndVin,
  response: z.object({ user: person, car: publicCar }),
  errors: ['NotFound', 'CarNotAvailable'],
})

export const flyerPaperSizes = ['letter', 'a4'] as const
export type FlyerPaperSize = (typeof flyerPaperSizes)[number]

/** Returns the caller's car as a printable page, with contact data only on request (R-cars-33). */
export const readCarFlyer = defineEndpoint('GET /cars/flyer/:vin', {
  callers: ['trader'],
  scope: 'cars:read',
  params: z.object({ vin: looseVin }),
  query: z.object({
    paper: z.enum(flyerPaperSizes).default('letter'),
    contact: z.enum(['true', 'false']).default('false'),
  }),
  response: z.instanceof(Uint8Array),
  media: 'application/pdf',
  errors: ['NotFound', 'CarNotAvailable'],
})

export const readCarOfSeller = defineEndpoint('GET /cars/user/:userId/:vin', {
  callers: ['anyone'],
  scope: 'cars:read',
  params: sellerAndVin,
  response: z.object({ car: sharedCar }),
  errors: ['NotFound', 'CarNotAvailable'],
})

export const lookUpVin = defineEndpoint('GET /vin/:vin', {
  callers: ['verified'],
  scope: 'cars:read',
  params: z.object({ vin: z.string().max(64) }),
  response: z.object({
    vin: z.string(),
    make: z.string(),
    carModel: z.string(),
    year: z.number(),
    /** Empty when the VIN does not determine it. */
    trim: z.string(),
    /** Possible trims when the VIN allows several. */
    trims: z.array(z.string()),
  }),
  errors: ['InvalidVin'],
})

/** Starts the VIN decoder when a form with a VIN field opens, before the first lookup. */
export const warmUpVinLookUp = defineEndpoint('POST /vin/warm', {
  callers: ['verified'],
  response: okResponse,
})
export const listAllCars = defineEndpoint('GET /cars/all/cars', {
  callers: ['wholesaler', 'administrator'],
  allowsStandby: true,
  adminAct: 'viewedListings',
  query: pageParams,
  response: z.array(car),
})

export const editCar = defineEndpoint('PATCH /cars/edit', {
  callers: ['trader'],
  scope: 'cars:write',
  body: z.object({
    ...z.object(carFields).partial().shape,
    vin,
    message: message.optional(),
    zipCode: zip.optional(),
    version,
  }),
  response: car,
  errors: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  isIdempotent: true,
})

/** Changes the asking price alone: an offer belongs to its buyer (R-deals-25). */
export const updatePrice = defineEndpoint('PUT /cars/update-price/:carId', {
  callers: ['trader'],
  scope: 'cars:write',
  params: z.object({ carId: id }),
  body: z.object({ newPrice: price, sellerId: z.string().max(64).optional(), version }),
  response: car,
  errors: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  isIdempotent: true,
})

/** Replaces all details: an omitted field is cleared. */
export const describeCar = defineEndpoint('PUT /cars/describe/:carId', {
  callers: ['trader'],
  scope: 'cars:write',
  params: z.object({ carId: id }),
  body: optionalDetails.extend({ version }),
  response: car,
  errors: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  isIdempotent: true,
})

export const carIdParams = z.object({ carId: id })
export const carPhotoParams = carIdParams.extend({ photoId })
/** Idempotent: 200 instead of 201 when the photo already exists (decision 27). */
export const addCarPhoto = defineEndpoint('POST /cars/photos/:carId', {
  callers: ['trader'],
  scope: 'cars:write',
  params: carIdParams,
  query: uploadPlace.extend({ caption: caption.optional() }),
  uploads: photoTypes,
  response: z.object({ photo, car }),
  status: 201,
  existingDescription: 'The photo was there already.',
  errors: ['NotFound', 'DealInProgress', 'ExclusivityActive', ...photoErrorCodes],
})

export const orderCarPhotos = defineEndpoint('PUT /cars/photos/:carId/order', {
  callers: ['trader'],
  scope: 'cars:write',
  params: carIdParams,
  body: photoOrder,
  response: car,
  errors: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  isIdempotent: true,
})

export const captionCarPhoto = defineEndpoint('PATCH /cars/photos/:carId/:photoId', {
  callers: ['trader'],
  scope: 'cars:write',
  params: carPhotoParams,
  body: z.object({ caption }),
  response: car,
  errors: ['NotFound', 'DealInProgress', 'ExclusivityActive'],
  isIdempotent: true,
})

export const deleteCarPhoto = defineEndpoint('DELETE /cars/photos/:carId/:photoId', {
  callers: ['trader'],
  scope: 'cars:write',
  params: carPhotoParams,
  response: car,
  errors: ['NotFound', 'DealInProgress', 'ExclusivityActive'],
  isIdempotent: true,
})
