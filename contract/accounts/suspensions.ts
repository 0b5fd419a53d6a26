import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { fieldTexts, id, isoTime, okResponse, paragraphs } from '../shared/fields.ts'
import { hasHiddenCharacters } from '../shared/visible-text.ts'
import { userTypes } from './rules.ts'
import { suspensionReasons, suspensionTexts } from './suspension-texts.ts'

// Finding people and suspending their accounts, for the administrator (R-accounts-60).

const texts = suspensionTexts.suspend

/** At most this many people are found; a longer search finds fewer. */
export const maxPeopleFound = 20

export const foundPerson = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  /** Empty once the account is deleted. */
  email: z.string(),
  userType: z.enum(userTypes),
  verified: z.boolean(),
  isSuspended: z.boolean(),
  isDeleted: z.boolean(),
  createdAt: isoTime,
})
export type FoundPerson = z.output<typeof foundPerson>

/** `search`: an id, a complete email address, or the start of a first or last name. */
export const findPeople = defineEndpoint('GET /admin/people', {
  callers: ['administrator'],
  adminAct: 'viewedPeople',
  query: z.object({
    search: z
      .string(suspensionTexts.people.fault)
      .trim()
      .max(254, suspensionTexts.people.fault)
      .refine((text) => !hasHiddenCharacters(text), fieldTexts.characters),
  }),
  response: z.array(foundPerson),
})

export const suspension = z.object({
  _id: id,
  reason: z.enum(suspensionReasons),
  /** What the person read; empty once they have deleted the account. */
  note: z.string(),
  suspendedAt: isoTime,
  suspendedBy: z.string(),
  liftedAt: isoTime.nullable(),
  liftedBy: z.string().nullable(),
})
export type Suspension = z.output<typeof suspension>

export const personState = foundPerson.extend({
  phoneNumber: z.string(),
  /** Where the person is signed in; `signedInAt` is null for a link from an email. */
  sessions: z.array(z.object({ _id: id, device: z.string(), signedInAt: isoTime.nullable() })),
  /** Listings that are not deleted, newest first. At most 100, like the deals. */
  listings: z.array(z.object({ _id: id, car: z.string(), vin: z.string(), isSold: z.boolean() })),
  deals: z.array(
    z.object({
      _id: id,
      car: z.string(),
      isSeller: z.boolean(),
      other: z.object({ _id: id, name: z.string() }),
      isPassed: z.boolean(),
    }),
  ),
  /** Newest first; the first one is active if it is not lifted. */
  suspensions: z.array(suspension),
})
export type PersonState = z.output<typeof personState>

const ofPerson = z.object({ userId: id })

export const readPersonState = defineEndpoint('GET /admin/people/:userId', {
  callers: ['administrator'],
  adminAct: 'viewedAccount',
  params: ofPerson,
  response: personState,
  errors: ['NotFound'],
})

/** Ends the sessions and access tokens, hides the listings and pauses the deals (R-accounts-60). */
export const suspendPerson = defineEndpoint('POST /admin/people/:userId/suspend', {
  callers: ['operator'],
  adminAct: 'suspendedPerson',
  needsConfirmation: true,
  params: ofPerson,
  body: z.object({
    reason: z.enum(suspensionReasons, texts.reasonMissing),
    note: paragraphs(1000, texts.noteLong).refine((text) => text !== '', texts.noteMissing),
  }),
  response: personState,
  errors: ['NotFound', 'AlreadySuspended'],
})

/** Lifting the same suspension again changes nothing; a newer one stays. */
export const liftSuspension = defineEndpoint('POST /admin/people/:userId/suspensions/:suspensionId/lift', {
  callers: ['operator'],
  adminAct: 'liftedSuspension',
  params: ofPerson.extend({ suspensionId: id }),
  response: personState,
  errors: ['NotFound'],
})

export const endSessionsOfPerson = defineEndpoint('POST /admin/people/:userId/sessions/end', {
  callers: ['operator'],
  adminAct: 'endedPersonSessions',
  params: ofPerson,
  response: okResponse,
  errors: ['NotFound'],
})
