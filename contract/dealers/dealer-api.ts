import { z } from 'zod'
import { dealerStep } from '../deals/shapes.ts'
import { dealerEvent1 } from '../frozen/dealer-events-1/dealer-events.ts'
import { deliveredPackage1 } from '../frozen/package-1/delivered-package.ts'
import { call } from '../shared/endpoint.ts'
import { id, line, message } from '../shared/fields.ts'
import { dealersTexts as texts } from './texts.ts'

// What goes to a dealer's system, and what it answers: webhooks as standardwebhooks.com specifies them, in both directions.

export const packageSchemaPath = '/schemas/package/1'

/** Every event that a dealer is sent, in the version of new bodies. */
export const dealerEvent = dealerEvent1
export type DealerEvent = z.output<typeof dealerEvent>
export type DealerEventType = DealerEvent['type']
export const dealerEventTypes = dealerEvent.options.map((option) => option.shape.type.value)

export const packageSchema = call('GET /schemas/package/1', {
  who: ['anyone'],
  answer: z.unknown(),
  media: 'application/schema+json',
  summary: 'The JSON Schema of the package that a dealer gets',
})

const params = z.object({ pkgId: id })
/** Named in the body, too: one that names another deal than its path was sent by mistake. */
const about = { pkgId: id }
const wallTime = z.iso.datetime({ offset: true, error: texts.faults.time })

export const dealerAnswer = z.discriminatedUnion('step', [
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
export type DealerAnswer = z.output<typeof dealerAnswer>

/** How a deal stands with its dealer. */
export const partnerDeal = z.object({
  pkgId: id,
  completed: z.boolean(),
  cancelled: z.boolean(),
  steps: z.array(dealerStep),
})
export type PartnerDeal = z.output<typeof partnerDeal>

/**
 * Each signed with the dealer's key over method, path and the body as it is sent, byte for byte (`signedCall`). The same
 * `webhook-id` again changes nothing.
 */
export const answerDeal = call('POST /partner/deals/:pkgId', {
  who: ['partner'],
  params,
  body: dealerAnswer,
  answer: partnerDeal,
  refuses: ['NotFound', 'InvalidTransition', 'IdempotencyKeyReused'],
  summary: 'What the dealer says about a deal that was passed to it',
})

export const readPartnerDeal = call('GET /partner/deals/:pkgId', {
  who: ['partner'],
  params,
  answer: z.object({ deal: partnerDeal, package: deliveredPackage1 }),
  refuses: ['NotFound', 'AgreementBeingDrawn'],
  summary: 'A deal as it stands, for the dealer that it was passed to',
})

export const partnerAgreement = call('GET /partner/deals/:pkgId/agreement', {
  who: ['partner'],
  params,
  answer: z.instanceof(Uint8Array),
  media: 'application/pdf',
  refuses: ['NotFound', 'AgreementBeingDrawn'],
  summary: 'The signed agreement, for the dealer that the deal was passed to',
})
