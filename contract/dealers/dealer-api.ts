import { z } from 'zod'
import { dealerStep } from '../deals/shapes.ts'
import { dealerEvent1 } from '../frozen/dealer-events-1/dealer-events.ts'
import { dealerEvent2 } from '../frozen/dealer-events-2/dealer-events.ts'
import { type DeliveredPackage1, deliveredPackage1 } from '../frozen/package-1/delivered-package.ts'
import { type DeliveredPackage2, deliveredPackage2 } from '../frozen/package-2/delivered-package.ts'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, line, message } from '../shared/fields.ts'
import { dealersTexts as texts } from './texts.ts'

// Messages to a dealer's system and its responses: webhooks as specified by standardwebhooks.com,
// in both directions.

/** A package in the version in which it was signed; each version's schema has its own address. */
export const deliveredPackage = z.union([deliveredPackage2, deliveredPackage1])
export type DeliveredPackage = DeliveredPackage1 | DeliveredPackage2

/** Every event sent to a dealer; a package is sent in its own version. */
export const dealerEvent = z.union([dealerEvent2, dealerEvent1])
export type DealerEvent = z.output<typeof dealerEvent>
export type DealerEventType = DealerEvent['type']
export const dealerEventTypes = dealerEvent1.options.map((option) => option.shape.type.value)

const schemaResponse = {
  callers: ['anyone'],
  response: z.unknown(),
  media: 'application/schema+json',
} as const
export const readPackageSchema1 = defineEndpoint('GET /schemas/package/1', {
  ...schemaResponse,
})
export const readPackageSchema2 = defineEndpoint('GET /schemas/package/2', {
  ...schemaResponse,
})

const params = z.object({ pkgId: id })
/** Repeated in the body, so that a request sent to the wrong path can be rejected. */
const about = { pkgId: id }
const wallTime = z.iso.datetime({ offset: true, error: texts.faults.time })

export const partnerReport = z.discriminatedUnion('step', [
  z.object({ ...about, step: z.literal('accepted') }),
  z.object({ ...about, step: z.literal('needsDocument'), document: line(300, texts.faults.document) }),
  z.object({
    ...about,
    step: z.literal('appointment'),
    place: line(200, texts.faults.place),
    time: wallTime,
  }),
  z.object({ ...about, step: z.literal('paidSeller') }),
  z.object({ ...about, step: z.literal('titleReceived') }),
  z.object({
    ...about,
    step: z.literal('cancelled'),
    reason: message.refine((text) => text !== '', texts.faults.reason),
  }),
])
export type PartnerReport = z.output<typeof partnerReport>

export const partnerDeal = z.object({
  pkgId: id,
  completed: z.boolean(),
  cancelled: z.boolean(),
  /** The account of the seller or the buyer is suspended: for now only `cancelled` is accepted. */
  isPaused: z.boolean().default(false),
  steps: z.array(dealerStep),
})
export type PartnerDeal = z.output<typeof partnerDeal>

/**
 * Dealers sign each request over method, path and the body's exact bytes (`webhookSigningInput`). A
 * repeated `webhook-id` changes nothing.
 */
export const answerDeal = defineEndpoint('POST /partner/deals/:pkgId', {
  callers: ['partner'],
  params,
  body: partnerReport,
  response: partnerDeal,
  errors: ['NotFound', 'InvalidTransition', 'DealPaused', 'IdempotencyKeyReused'],
})

export const readPartnerDeal = defineEndpoint('GET /partner/deals/:pkgId', {
  callers: ['partner'],
  params,
  response: z.object({ deal: partnerDeal, package: deliveredPackage }),
  errors: ['NotFound', 'AgreementBeingDrawn', 'AgreementDamaged'],
})

export const readPartnerAgreement = defineEndpoint('GET /partner/deals/:pkgId/agreement', {
  callers: ['partner'],
  params,
  response: z.instanceof(Uint8Array),
  media: 'application/pdf',
  errors: ['NotFound', 'AgreementBeingDrawn', 'AgreementDamaged'],
})
