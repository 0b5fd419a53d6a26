import { z } from 'zod'
import { person } from '../accounts/endpoints.ts'
import { parties } from '../accounts/rules.ts'
import { car } from '../cars/endpoints.ts'
import { defineEndpoint } from '../shared/endpoint.ts'
import {
  currentPassword,
  fieldTexts,
  id,
  looseVin,
  message,
  okResponse,
  pageParams,
  price,
  signatureText,
  version,
  vin,
} from '../shared/fields.ts'
import { drawing } from '../shared/signature-drawing.ts'
import { dashboardCar, financing, progress, request, soldCar, timelineEntry } from './shapes.ts'

/** Only ever compared with the session's own id, so any other value is harmless. */
const claimedId = z.string().max(64)

const sellerAndVin = z.object({ userId: id, vin: looseVin })

const ofBuyer = z.object({ buyerId: id.optional() })

export const listCarsOfUser = defineEndpoint('GET /cars/:userId', {
  callers: ['verified'],
  allowsStandby: true,
  scope: 'cars:read',
  params: z.object({ userId: id }),
  response: z.array(dashboardCar),
  errors: ['NotFound'],
})

/**
 * For parties of the live listing only: a VIN is not a shared link, so everybody else gets a 404.
 */
export const readCarByVin = defineEndpoint('GET /cars/vin/:vin', {
  callers: ['verified'],
  scope: 'cars:read',
  params: z.object({ vin: looseVin }),
  response: z.object({ car }),
  errors: ['NotFound'],
})

export const listRequests = defineEndpoint('GET /cars/requests/:carId', {
  callers: ['verified'],
  allowsStandby: true,
  scope: 'deals:read',
  params: z.object({ carId: id }),
  response: z.array(request),
  errors: ['NotFound'],
})

export const requestCar = defineEndpoint('POST /cars/request', {
  callers: ['trader'],
  body: z.object({
    vin: z.string(fieldTexts.vinRequired).trim().min(1, fieldTexts.vinRequired).pipe(vin),
    price: z
      .codec(
        z
          .union([z.number(), z.literal('')], {
            error: ({ input }) => (typeof input === 'string' ? fieldTexts.price : fieldTexts.priceRequired),
          })
          .nullish(),
        z.number().refine((given) => given !== 0, fieldTexts.priceRequired),
        { decode: (given) => given || 0, encode: (given) => given },
      )
      .pipe(price),
    buyerId: claimedId.optional(),
    sellerId: claimedId.optional(),
    trades: z.array(looseVin).max(10).default([]),
    version,
  }),
  response: car,
  status: 201,
  existingDescription: 'The request was there already, and was changed.',
  errors: [
    'NotFound',
    'OwnCar',
    'CarUnavailable',
    'TradeUnavailable',
    'TradeRequired',
    'StageNotReachable',
    'InvalidTransition',
    'DealPaused',
    'StaleVersion',
  ],
  isIdempotent: true,
})

export const decideRequest = defineEndpoint('PATCH /cars/buyer', {
  callers: ['trader'],
  body: z.object({
    userId: id,
    vin: looseVin,
    status: z.enum(['ACCEPTED', 'REJECTED', 'PENDING']),
    buyerId: z.union([z.literal(''), id]).nullish(),
    message: message.optional(),
    price: price.optional(),
    version,
  }),
  response: car,
  errors: [
    'NotFound',
    'InvalidTransition',
    'DealPaused',
    'StaleVersion',
    'BuyerAlreadyConfirmed',
    'PriceChanged',
    'ExclusivityActive',
    'TradeUnavailable',
  ],
  isIdempotent: true,
})

/** Proposes another price to the buyer of a pending request, or takes it back (R-deals-93). */
export const proposePrice = defineEndpoint('PUT /cars/proposal', {
  callers: ['trader'],
  /** `price`: null takes the proposal back. */
  body: z.object({ userId: id, vin: looseVin, buyerId: id, price: price.nullable(), version }),
  response: progress,
  errors: ['NotFound', 'InvalidTransition', 'DealPaused', 'StaleVersion', 'BuyerAlreadyConfirmed'],
  isIdempotent: true,
})

/** Accepts the seller's proposal, which becomes the buyer's offer, or declines it (R-deals-94). */
export const answerProposal = defineEndpoint('PATCH /cars/proposal', {
  callers: ['trader'],
  /** `price`: the proposal that the buyer has read. */
  body: z.object({ userId: id, vin: looseVin, status: z.enum(['ACCEPTED', 'REJECTED']), price, version }),
  response: progress,
  errors: ['NotFound', 'InvalidTransition', 'DealPaused', 'StaleVersion', 'PriceChanged'],
  isIdempotent: true,
})

export const deleteCar = defineEndpoint('DELETE /cars/delete/:userType/:userId/:vin', {
  callers: ['trader'],
  params: z.object({ userType: z.string().toUpperCase().pipe(z.enum(parties)), userId: id, vin: looseVin }),
  query: z.object({ version: z.coerce.number().int().min(1).optional() }),
  response: okResponse,
  errors: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  isIdempotent: true,
})

export const removeListing = defineEndpoint('DELETE /admin/cars/:carId', {
  callers: ['operator'],
  adminAct: 'removedListing',
  needsConfirmation: true,
  params: z.object({ carId: id }),
  body: z.object({ reason: message.optional() }).optional(),
  response: okResponse,
  errors: ['NotFound', 'DealInProgress'],
})

export const startProgress = defineEndpoint('PATCH /progress/add', {
  callers: ['trader'],
  /** Without `userId` the server looks up the VIN's seller, which is rate-limited. */
  body: z.object({ userId: id.optional(), vin: looseVin }),
  response: progress,
  errors: ['NotFound', 'OwnCar'],
  isIdempotent: true,
})

export const getProgress = defineEndpoint('GET /progress/:userId/:vin', {
  callers: ['verified', 'administrator'],
  adminAct: 'viewedDeal',
  scope: 'deals:read',
  params: sellerAndVin,
  query: ofBuyer,
  response: progress,
  errors: ['NotFound'],
})

const signing = signatureText.nullish()

export const updateProgress = defineEndpoint('PATCH /progress/update', {
  callers: ['trader'],
  body: z.object({
    userId: id,
    vin: looseVin,
    version,
    data: z.object({
      userType: z.string().toUpperCase().pipe(z.enum(parties)),
      step: z.array(z.unknown()).max(32).default([]),
      goBack: z.boolean().optional(),
      hasTrade: z.boolean().nullish(),
      needsFinancing: z.boolean().nullish(),
      financing: financing.nullish(),
      tradeVins: z.array(looseVin).max(10).optional(),
      agreementSigned: z.boolean().optional(),
      buyerSigned: z.boolean().optional(),
      buyerSignedName: signing,
      buyerSignature: signing,
      buyerDrawing: drawing.nullish(),
      sellerSigned: z.boolean().optional(),
      sellerSignedName: signing,
      sellerSignature: signing,
      sellerDrawing: drawing.nullish(),
      /** Version of the text that was shown, or true for the current one (R-deals-66). */
      consent: z.union([z.string().max(64), z.boolean()]).optional(),
      /** Version of the text that was shown; StaleVersion when a different one would be signed. */
      textVersion: z.string().max(64).optional(),
      /** Required with a signature when the sign-in was more than a day ago. */
      currentPassword,
      version,
    }),
  }),
  response: progress,
  errors: [
    'NotFound',
    'StageNotReachable',
    'TradeUnavailable',
    'InvalidTransition',
    'DealPaused',
    'StaleVersion',
    'ExclusivityExpired',
    'AlreadySigned',
    'ConsentWithdrawn',
    'LatinSpellingRequired',
    'ReauthenticationRequired',
    'HashQueueFull',
  ],
  isIdempotent: true,
})

export const readTimeline = defineEndpoint('GET /progress/timeline/:userId/:vin', {
  callers: ['verified', 'administrator'],
  adminAct: 'viewedDeal',
  scope: 'deals:read',
  params: sellerAndVin,
  query: ofBuyer,
  response: z.array(timelineEntry),
  errors: ['NotFound'],
})

export const listSoldCars = defineEndpoint('GET /progress/all', {
  callers: ['wholesaler', 'administrator'],
  allowsStandby: true,
  adminAct: 'viewedDeals',
  query: pageParams,
  response: z.array(soldCar),
})

/** Returns the whole list as a spreadsheet. */
export const exportSoldCars = defineEndpoint('GET /progress/all.csv', {
  callers: ['wholesaler', 'administrator'],
  adminAct: 'exportedDeals',
  response: z.custom<AsyncIterable<string>>(),
  media: 'text/csv; charset=utf-8',
})

export const readPackageId = defineEndpoint('GET /progress/pkg/id/:userId/:vin', {
  callers: ['verified', 'administrator'],
  adminAct: 'viewedDeal',
  scope: 'deals:read',
  params: sellerAndVin,
  query: ofBuyer,
  response: z.object({ pkgId: id }),
  errors: ['NotFound'],
})

export const completeDeal = defineEndpoint('POST /progress/complete/:pkgId', {
  callers: ['operator', 'partner'],
  adminAct: 'completedDeal',
  needsConfirmation: true,
  params: z.object({ pkgId: id }),
  /** A dealer's system repeats the package's id in the body. */
  body: z.object({ pkgId: id.optional() }).optional(),
  response: progress,
  errors: ['NotFound', 'InvalidTransition', 'DealPaused', 'IdempotencyKeyReused'],
  isIdempotent: true,
})

/** Sent with `DealInProgress`: the car whose sale has to end before the account can be deleted. */
export const blockingCar = z.object({ sellerId: id, vin: z.string() })

export const deleteUser = defineEndpoint('DELETE /user/:userType/:id', {
  callers: ['signedIn'],
  params: z.object({ userType: z.string(), id }),
  /** Required when the sign-in was more than 15 minutes ago. */
  body: z.object({ currentPassword }),
  response: okResponse,
  errors: ['NotFound', 'DealInProgress', 'ReauthenticationRequired', 'HashQueueFull'],
})

export const getBuyer = defineEndpoint('GET /buyer/:id', {
  callers: ['verified', 'administrator'],
  adminAct: 'viewedPerson',
  scope: 'deals:read',
  params: z.object({ id }),
  response: z.object({ buyer: person }),
  errors: ['NotFound'],
})

export const getSeller = defineEndpoint('GET /seller/:id', {
  callers: ['verified', 'administrator'],
  adminAct: 'viewedPerson',
  scope: 'deals:read',
  params: z.object({ id }),
  response: z.object({ seller: person }),
  errors: ['NotFound'],
})
