import { z } from 'zod'
import { person } from '../../accounts/calls.ts'
import { call } from '../../kit/call.ts'
import { id, isoTime, line, message } from '../../kit/fields.ts'
import { usd } from '../../kit/money.ts'
import { photoId } from '../../kit/photo.ts'
import { dealerStep, dealPackage } from '../shapes.ts'
import { dealersTexts as texts } from './dealers-texts.ts'

// What goes to a dealer's system, and what it answers: webhooks as standardwebhooks.com specifies them, in both directions.

export const packageSchemaPath = '/schemas/package/1'
const digest = z.string().regex(/^[0-9a-f]{64}$/)

/** What both have signed, as it was frozen: the SHA-256 of its canonical JSON (RFC 8785) stands in the public log. */
export const frozenDeal = dealPackage.omit({ completed: true, completedAt: true })

/** The package as a dealer's system gets it. A later version has another address, and this one stays as it is. */
export const package1 = z.object({
  schema: z.string().meta({ description: 'The address of this schema' }),
  pkgId: id,
  dealer: z.object({ name: z.string() }),
  deal: frozenDeal,
  agreement: z
    .object({ url: z.string(), sha256: digest, bytes: z.int(), type: z.literal('application/pdf') })
    .meta({
      description: 'The signed agreement. Its address answers to a call that is signed like a webhook',
    }),
  photos: z.array(z.object({ id: photoId, url: z.string(), sha256: digest })),
  signatures: z
    .object({ seller: digest, buyer: digest })
    .meta({ description: 'Digests of both rows of evidence, as they stand in the public log' }),
  log: z.object({ digest, inclusion: z.string(), head: z.string() }).meta({
    description: 'SHA-256 of the canonical JSON of `deal`, where its proof is, and the head of the log',
  }),
})
export type Package1 = z.output<typeof package1>

const event = <const Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: isoTime, data })

/** The wish for a loan, of a buyer who has agreed that the dealer gets in touch about it, and to nobody else's (R-deals-14). */
const financingWish = z.object({
  pkgId: id,
  buyer: person,
  amount: usd.nullable(),
  termMonths: z.int().nullable(),
  downPayment: usd.nullable(),
  consent: z.object({ given: z.literal(true), words: z.string() }),
})

/** Every event that a dealer is sent. */
export const dealerEvent = z.discriminatedUnion('type', [
  event('deal.passed', package1),
  event('deal.financing', financingWish),
  event('test', z.object({ dealer: z.string() })),
])
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
/** Named in what is signed, too, so that nobody sends it on about another deal. */
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
 * Each signed with the dealer's key over the body as it is sent, byte for byte, or over the path where there is none. The
 * same `webhook-id` again changes nothing.
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
  answer: z.object({ deal: partnerDeal, package: package1 }),
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
