import { z } from 'zod'
import { dealerSteps } from '../deals/rules.ts'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, isoTime, pageParams } from '../shared/fields.ts'
import { dealerEventTypes, deliveredPackage, partnerDeal, partnerReport } from './dealer-api.ts'

// The built-in dealer desk stands in for a dealer's own system until one is configured. It receives
// and answers deals like any dealer; these endpoints serve its page and its deliveries.

const params = z.object({ pkgId: id })

/** Disabled when the default dealer has a system of its own. */
export const readDesk = defineEndpoint('GET /desk', {
  callers: ['administrator'],
  adminAct: null,
  response: z.object({ isOn: z.boolean(), dealer: z.string() }),
})

export const deskDeal = z.object({
  _id: id,
  car: z.string(),
  vin: z.string(),
  receivedAt: isoTime,
  step: z.enum(dealerSteps).nullable(),
  stepAt: isoTime.nullable(),
})
export type DeskDeal = z.output<typeof deskDeal>

export const deskLists = ['waiting', 'done'] as const
export type DeskList = (typeof deskLists)[number]

/** Sorts waiting deals oldest first, and finished ones newest first. */
export const listDeskDeals = defineEndpoint('GET /desk/deals', {
  callers: ['administrator'],
  adminAct: 'viewedDeskDeals',
  query: pageParams.extend({
    limit: z.coerce.number().int().min(1).max(50).default(20),
    list: z.enum(deskLists).default('waiting'),
  }),
  response: z.array(deskDeal),
})

/** Returns a deal with all its documents, as a dealer's system reads them. */
export const readDeskDeal = defineEndpoint('GET /desk/deals/:pkgId', {
  callers: ['administrator'],
  adminAct: 'viewedDeskDeal',
  params,
  response: z.object({ deal: partnerDeal, receivedAt: isoTime, package: deliveredPackage }),
  errors: ['NotFound'],
})

export const readDeskAgreement = defineEndpoint('GET /desk/deals/:pkgId/agreement', {
  callers: ['administrator'],
  adminAct: 'viewedAgreement',
  params,
  response: z.instanceof(Uint8Array),
  media: 'application/pdf',
  errors: ['NotFound'],
})

export const deskReport = z.discriminatedUnion('step', [
  ...partnerReport.options,
  z.object({ pkgId: id, step: z.literal('complete') }),
])
export type DeskReport = z.output<typeof deskReport>

export const answerFromDesk = defineEndpoint('POST /desk/deals/:pkgId', {
  callers: ['operator'],
  adminAct: 'actedAtDesk',
  needsConfirmation: true,
  params,
  body: deskReport,
  response: partnerDeal,
  errors: ['NotFound', 'InvalidTransition', 'DealPaused', 'IdempotencyKeyReused'],
})

/** Receives deals, signed like every delivery to a dealer. */
export const deliverToDesk = defineEndpoint('POST /desk/deliveries', {
  callers: ['partner'],
  /** Parsed fully only after the signature is verified. */
  body: z.looseObject({ type: z.enum(dealerEventTypes), data: z.looseObject({}) }),
  /** A package with its sheet and the photos of several cars exceeds the limit for forms. */
  maxBytes: 512 * 1024,
  response: z.object({ ok: z.literal(true) }),
  errors: ['NotFound'],
})
