import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, isoTime, okResponse, pageParams, paragraphs } from '../shared/fields.ts'
import { claimTexts } from './claim-texts.ts'
import { carFacts, carFields } from './endpoints.ts'

// Reports of people whose car a stranger has listed (R-cars-36).

/** The stranger's listing stays private: the response says nothing about it. */
export const claimCar = defineEndpoint('POST /cars/claims', {
  callers: ['trader'],
  body: z.object({
    ...carFields,
    reason: paragraphs(1000, claimTexts.tooLong).refine((text) => text !== '', claimTexts.reasonMissing),
  }),
  response: okResponse,
  errors: ['NotFound'],
  isIdempotent: true,
})

export const claimOutcomes = ['KEPT', 'REMOVED'] as const
export type ClaimOutcome = (typeof claimOutcomes)[number]
const listingStates = ['live', 'reserved', 'sold', 'removed'] as const
export type ListingState = (typeof listingStates)[number]

/** The car as the claimant typed it. */
export const claimedCar = z.object({ ...carFacts.shape, vin: z.string() })
export type ClaimedCar = z.output<typeof claimedCar>

const person = z.object({ _id: id, name: z.string(), email: z.string(), phoneNumber: z.string() })

export const claim = z.object({
  _id: id,
  at: isoTime,
  handledAt: isoTime.nullable(),
  outcome: z.enum(claimOutcomes).nullable(),
  /** Empty once the claimant has deleted the account. */
  reason: z.string(),
  claimant: person,
  claimed: claimedCar.nullable(),
  seller: person,
  listed: z.object({ ...claimedCar.shape, _id: id, createdAt: isoTime, state: z.enum(listingStates) }),
})
export type Claim = z.output<typeof claim>

/** Newest first. */
export const listClaims = defineEndpoint('GET /admin/claims', {
  callers: ['administrator'],
  adminAct: 'viewedClaims',
  query: pageParams,
  response: z.array(claim),
})

/** Decides that the listing stays. Removing it (`removeListing`) decides for the claimant. */
export const keepClaimedListing = defineEndpoint('POST /admin/claims/:claimId/keep', {
  callers: ['operator'],
  adminAct: 'keptListing',
  params: z.object({ claimId: id }),
  response: okResponse,
  errors: ['NotFound'],
})
