import { z } from 'zod'
import { person } from '../accounts/endpoints.ts'
import { sides } from '../accounts/rules.ts'
import { drawing } from '../agreements/drawing.ts'
import { car, carFields, carWords } from '../cars/endpoints.ts'
import { call } from '../shared/endpoint.ts'
import {
  anyVin,
  currentPassword,
  fieldTexts,
  id,
  message,
  ok,
  page,
  price,
  signingWords,
  version,
  vin,
  zip,
} from '../shared/fields.ts'
import { caption, photo, photoId, photoOrder, photoTypes } from '../shared/photo.ts'
import { photoCodes } from '../shared/photo-texts.ts'
import { dashboardCar, dealPackage, financing, progress, request, soldCar, timelineEntry } from './shapes.ts'

/** Only ever compared with the session's own id, so any other value is harmless. */
const claimedId = z.string().max(64)

const sellerAndVin = z.object({ userId: id, vin: anyVin })

const ofBuyer = z.object({ buyerId: id.optional() })

export const carsOf = call('GET /cars/:userId', {
  who: ['verified'],
  params: z.object({ userId: id }),
  answer: z.array(dashboardCar),
  refuses: ['NotFound'],
})

/** For the parties of the live listing alone: a VIN is no shared link, so strangers get the same 404 as for no car. */
export const carByVin = call('GET /cars/vin/:vin', {
  who: ['verified'],
  params: z.object({ vin: anyVin }),
  answer: z.object({ car }),
  refuses: ['NotFound'],
})

export const allCars = call('GET /cars/all/cars', {
  who: ['wholesaler', 'administrator'],
  query: page,
  answer: z.array(car),
})

export const requestsOnCar = call('GET /cars/requests/:carId', {
  who: ['verified'],
  params: z.object({ carId: id }),
  answer: z.array(request),
  refuses: ['NotFound'],
})

export const requestCar = call('POST /cars/request', {
  who: ['trader'],
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
    trades: z.array(anyVin).max(10).default([]),
    version,
  }),
  answer: car,
  status: 201,
  refuses: [
    'NotFound',
    'OwnCar',
    'CarUnavailable',
    'TradeUnavailable',
    'TradeRequired',
    'StageNotReachable',
    'InvalidTransition',
    'StaleVersion',
  ],
  once: true,
})

export const decideBuyer = call('PATCH /cars/buyer', {
  who: ['trader'],
  body: z.object({
    userId: id,
    vin: anyVin,
    status: z.enum(['ACCEPTED', 'REJECTED', 'PENDING']),
    buyerId: z.union([z.literal(''), id]).nullish(),
    message: message.optional(),
    price: price.optional(),
    version,
  }),
  answer: car,
  refuses: [
    'NotFound',
    'InvalidTransition',
    'StaleVersion',
    'BuyerAlreadyConfirmed',
    'PriceChanged',
    'ExclusivityActive',
    'TradeUnavailable',
  ],
  once: true,
})

export const editCar = call('PATCH /cars/edit', {
  who: ['trader'],
  body: z.object({
    ...z.object(carFields).partial().shape,
    vin,
    message: message.optional(),
    zipCode: zip.optional(),
    version,
  }),
  answer: car,
  refuses: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  once: true,
})

/** All of the words at once: what is left out is said no longer. */
export const describeCar = call('PUT /cars/describe/:carId', {
  who: ['trader'],
  params: z.object({ carId: id }),
  body: carWords.extend({ version }),
  answer: car,
  refuses: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  once: true,
})

export const updatePrice = call('PUT /cars/update-price/:carId', {
  who: ['trader'],
  params: z.object({ carId: id }),
  body: z.object({ newPrice: price, sellerId: claimedId.optional(), version }),
  answer: car,
  refuses: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  once: true,
})

export const deleteCar = call('DELETE /cars/delete/:userType/:userId/:vin', {
  who: ['trader'],
  params: z.object({ userType: z.string().toUpperCase().pipe(z.enum(sides)), userId: id, vin: anyVin }),
  query: z.object({ version: z.coerce.number().int().min(1).optional() }),
  answer: ok,
  refuses: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  once: true,
})

const carId = z.object({ carId: id })
const photoOfCar = carId.extend({ photoId })

/** Sent again, the same photo is there already: 200 instead of 201 (docs/decisions/0027). */
export const addCarPhoto = call('POST /cars/photos/:carId', {
  who: ['trader'],
  params: carId,
  takes: photoTypes,
  answer: z.object({ photo, car }),
  status: 201,
  refuses: ['NotFound', 'DealInProgress', 'ExclusivityActive', ...photoCodes],
  summary: 'Adds a photo to a car; the body is the picture itself.',
})

export const orderCarPhotos = call('PUT /cars/photos/:carId/order', {
  who: ['trader'],
  params: carId,
  body: photoOrder,
  answer: car,
  refuses: ['NotFound', 'StaleVersion', 'DealInProgress', 'ExclusivityActive'],
  once: true,
})

export const captionCarPhoto = call('PATCH /cars/photos/:carId/:photoId', {
  who: ['trader'],
  params: photoOfCar,
  body: z.object({ caption }),
  answer: car,
  refuses: ['NotFound', 'DealInProgress', 'ExclusivityActive'],
  once: true,
})

export const deleteCarPhoto = call('DELETE /cars/photos/:carId/:photoId', {
  who: ['trader'],
  params: photoOfCar,
  answer: car,
  refuses: ['NotFound', 'DealInProgress', 'ExclusivityActive'],
  once: true,
})

export const removeListing = call('DELETE /admin/cars/:carId', {
  who: ['administrator'],
  params: z.object({ carId: id }),
  body: z.object({ reason: message.optional() }).optional(),
  answer: ok,
  refuses: ['NotFound', 'DealInProgress'],
})

export const startProgress = call('PATCH /progress/add', {
  who: ['trader'],
  /** Without `userId` the server looks up the seller of the VIN, for which there is a limit of its own. */
  body: z.object({ userId: id.optional(), vin: anyVin }),
  answer: progress,
  refuses: ['NotFound', 'OwnCar'],
  once: true,
})

export const getProgress = call('GET /progress/:userId/:vin', {
  who: ['verified', 'administrator'],
  params: sellerAndVin,
  query: ofBuyer,
  answer: progress,
  refuses: ['NotFound'],
})

const signing = signingWords.nullish()

export const updateProgress = call('PATCH /progress/update', {
  who: ['trader'],
  body: z.object({
    userId: id,
    vin: anyVin,
    version,
    data: z.object({
      userType: z.string().toUpperCase().pipe(z.enum(sides)),
      step: z.array(z.unknown()).max(32).default([]),
      goBack: z.boolean().optional(),
      hasTrade: z.boolean().nullish(),
      needsFinancing: z.boolean().nullish(),
      financing: financing.nullish(),
      tradeVins: z.array(anyVin).max(10).optional(),
      agreementSigned: z.boolean().optional(),
      buyerSigned: z.boolean().optional(),
      buyerSignedName: signing,
      buyerSignature: signing,
      buyerDrawing: drawing.nullish(),
      sellerSigned: z.boolean().optional(),
      sellerSignedName: signing,
      sellerSignature: signing,
      sellerDrawing: drawing.nullish(),
      /** The version of the text that was shown, or true for the present one (R-deals-66). */
      consent: z.union([z.string().max(64), z.boolean()]).optional(),
      /** The version of the text that was shown; if a different one would be signed, the call is refused as StaleVersion. */
      textVersion: z.string().max(64).optional(),
      /** Needed with a signature when the sign-in was more than a day ago. */
      currentPassword,
      version,
    }),
  }),
  answer: progress,
  refuses: [
    'NotFound',
    'StageNotReachable',
    'TradeUnavailable',
    'InvalidTransition',
    'StaleVersion',
    'ExclusivityExpired',
    'AlreadySigned',
    'ConsentWithdrawn',
    'ReauthenticationRequired',
    'HashQueueFull',
  ],
  once: true,
})

export const timeline = call('GET /progress/timeline/:userId/:vin', {
  who: ['verified', 'administrator'],
  params: sellerAndVin,
  query: ofBuyer,
  answer: z.array(timelineEntry),
  refuses: ['NotFound'],
})

export const soldCars = call('GET /progress/all', {
  who: ['wholesaler', 'administrator'],
  query: page,
  answer: z.array(soldCar),
})

/** The same list, whole, for a spreadsheet. */
export const soldCarsFile = call('GET /progress/all.csv', {
  who: ['wholesaler', 'administrator'],
  answer: z.custom<AsyncIterable<string>>(),
  media: 'text/csv; charset=utf-8',
})

export const packageId = call('GET /progress/pkg/id/:userId/:vin', {
  who: ['verified', 'administrator'],
  params: sellerAndVin,
  query: ofBuyer,
  answer: z.object({ pkgId: id }),
  refuses: ['NotFound'],
})

export const finalPackage = call('GET /progress/pkg/:pkgId/1', {
  who: ['verified', 'administrator'],
  params: z.object({ pkgId: id }),
  answer: dealPackage,
  refuses: ['NotFound'],
})

export const paperSizes = ['Letter', 'A4'] as const
export type PaperSize = (typeof paperSizes)[number]

/** The agreement as signed, to keep or print: the same bytes each time (R-deals-64). */
export const agreementPdf = call('GET /progress/agreement/:pkgId', {
  who: ['verified', 'administrator'],
  params: z.object({ pkgId: id }),
  query: z.object({ size: z.enum(paperSizes).default('Letter') }),
  answer: z.instanceof(Uint8Array),
  media: 'application/pdf',
  refuses: ['NotFound', 'AgreementBeingDrawn'],
})

export const completeDeal = call('POST /progress/complete/:pkgId', {
  who: ['administrator', 'partner'],
  params: z.object({ pkgId: id }),
  /** A dealer's system names the deal in the body, too. */
  body: z.object({ pkgId: id.optional() }).optional(),
  answer: progress,
  refuses: ['NotFound', 'InvalidTransition', 'IdempotencyKeyReused'],
  once: true,
})

export const deleteUser = call('DELETE /user/:userType/:id', {
  who: ['signedIn'],
  params: z.object({ userType: z.string(), id }),
  /** Needed when the sign-in was more than 15 minutes ago. */
  body: z.object({ currentPassword }),
  answer: ok,
  refuses: ['NotFound', 'DealInProgress', 'ReauthenticationRequired', 'HashQueueFull'],
})

export const getBuyer = call('GET /buyer/:id', {
  who: ['verified', 'administrator'],
  params: z.object({ id }),
  answer: z.object({ buyer: person }),
  refuses: ['NotFound'],
})

export const getSeller = call('GET /seller/:id', {
  who: ['verified', 'administrator'],
  params: z.object({ id }),
  answer: z.object({ seller: person }),
  refuses: ['NotFound'],
})
