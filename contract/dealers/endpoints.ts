import { z } from 'zod'
import { deliveryStates } from '../deals/rules.ts'
import { defineEndpoint } from '../shared/endpoint.ts'
import { email, id, isoTime, line, optionalLine, pageParams, version } from '../shared/fields.ts'
import { webhookSecrets, webhookUrl } from '../shared/webhooks.ts'
import { dealersTexts as texts } from './texts.ts'

// Dealers that receive deals. The administrator manages the list; the car's ZIP code decides which
// dealer gets a deal.

/** ZIP codes from `first` to `last`, as numbers. */
export type ZipArea = { first: number; last: number }
type Candidate = { areas: readonly ZipArea[]; active: boolean; isDefault: boolean }

/**
 * Parses `941` (a prefix of ZIP codes) or `94000-95999` (an inclusive range); null for any other
 * text.
 */
export function parseArea(text: string): ZipArea | null {
  const [, prefix, from, to] = /^(?:(\d{1,5})|(\d{5}) ?- ?(\d{5}))$/.exec(text.trim()) ?? []
  if (prefix !== undefined)
    return { first: Number(prefix.padEnd(5, '0')), last: Number(prefix.padEnd(5, '9')) }
  const area = { first: Number(from), last: Number(to) }
  return from !== undefined && area.first <= area.last ? area : null
}

/** Formats an area in its shortest form. */
export function formatArea({ first, last }: ZipArea): string {
  const [from, to] = [fiveDigits(first), fiveDigits(last)]
  const prefix = from.replace(/0*$/, '')
  const shortest = Array.from({ length: 5 }, (_, at) => from.slice(0, at + 1)).find(
    (one) => one.length >= prefix.length && one.padEnd(5, '9') === to,
  )
  return shortest ?? `${from}-${to}`
}

const fiveDigits = (zip: number) => String(zip).padStart(5, '0')

/**
 * Chooses a car's dealer (R-deals-73): the active dealer with the narrowest area that contains the
 * ZIP code, otherwise the one with the numerically nearest area. Without a ZIP code or any area,
 * the default dealer gets the car. Ties go to the oldest; `dealers` must be ordered oldest first.
 */
export function dealerForZip<D extends Candidate>(dealers: readonly D[], zip: string | null): D | undefined {
  const number = Number(zip)
  const ranked = dealers
    .filter(({ active }) => active && zip !== null)
    .flatMap((dealer) =>
      dealer.areas.map((area) => ({ dealer, away: distanceTo(area, number), width: area.last - area.first })),
    )
    .sort((one, other) => one.away - other.away || one.width - other.width)
  return ranked[0]?.dealer ?? dealers.find(({ isDefault }) => isDefault)
}

const distanceTo = ({ first, last }: ZipArea, zip: number): number => Math.max(first - zip, zip - last, 0)

export const deliveryKinds = ['deal.passed', 'deal.financing', 'test'] as const
export const deliveryMethods = ['webhook', 'mail'] as const
export type DeliveryMethod = (typeof deliveryMethods)[number]

/** No endpoint returns the keys themselves. */
export const dealer = z.object({
  _id: id,
  name: z.string(),
  areas: z.array(z.string()),
  webhookUrl: z.string().nullable(),
  keys: z.int(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  hours: z.string().nullable(),
  active: z.boolean(),
  /** Comes from the configuration; only its areas can be changed. */
  isDefault: z.boolean(),
  /** Number of its deliveries that need the administrator's attention. */
  parked: z.int(),
  version: z.number(),
})
export type Dealer = z.output<typeof dealer>

const orEmpty = <T extends z.ZodType>(schema: T) => z.union([z.literal(''), schema])

/** Separated by commas or spaces; at most 1,000, the number of three-digit prefixes. */
const areas = z
  .string(texts.faults.areas)
  .max(10_000, texts.faults.areas)
  .refine((text) => {
    const all = splitAreas(text)
    return all.length <= 1000 && all.every((one) => parseArea(one) !== null)
  }, texts.faults.areas)

const splitAreas = (text: string): string[] =>
  text
    .replace(/\s*-\s*/g, '-')
    .split(/[\s,;]+/)
    .filter(Boolean)

export const parseAreas = (text: string): ZipArea[] => splitAreas(text).flatMap((one) => parseArea(one) ?? [])

/**
 * An empty optional field clears the stored value, except that empty keys leave the stored keys
 * unchanged.
 */
const dealerForm = z.object({
  name: line(100, texts.faults.name),
  areas: areas.default(''),
  webhookUrl: orEmpty(webhookUrl).default(''),
  webhookSecrets: orEmpty(webhookSecrets).default(''),
  email: orEmpty(email).default(''),
  phone: optionalLine(40, texts.faults.phone).default(''),
  hours: optionalLine(100, texts.faults.hours).default(''),
  active: z.boolean(texts.faults.active).default(true),
})
export type DealerForm = z.output<typeof dealerForm>

const oneDealer = z.object({ dealerId: id })

export const listDealers = defineEndpoint('GET /admin/dealers', {
  callers: ['administrator'],
  adminAct: 'viewedDealers',
  response: z.array(dealer),
})

export const addDealer = defineEndpoint('POST /admin/dealers', {
  callers: ['operator'],
  adminAct: 'addedDealer',
  needsConfirmation: true,
  body: dealerForm,
  response: dealer,
  status: 201,
})

export const editDealer = defineEndpoint('PUT /admin/dealers/:dealerId', {
  callers: ['operator'],
  adminAct: 'editedDealer',
  needsConfirmation: true,
  params: oneDealer,
  body: dealerForm.extend({ version }),
  response: dealer,
  errors: ['NotFound', 'StaleVersion'],
})

export const deliveryAttempt = z.object({
  at: isoTime,
  ms: z.int(),
  status: z.int().nullable(),
  /** Null if the dealer accepted it. */
  because: z.string().nullable(),
})

export const delivery = z.object({
  _id: id,
  kind: z.enum(deliveryKinds),
  way: z.enum(deliveryMethods),
  state: z.enum(deliveryStates),
  dealer: z.string(),
  /** Null for a test event. */
  pkgId: id.nullable(),
  car: z.string().nullable(),
  createdAt: isoTime,
  nextTryAt: isoTime.nullable(),
  /** SHA-256 of the last body sent. */
  digest: z.string().nullable(),
  /** Newest first. Failed attempts are removed after `failedTryDays`. */
  tries: z.array(deliveryAttempt),
  failedTryDays: z.int(),
  /** Also true if all attempts have been removed. */
  wasTried: z.boolean(),
})
export type Delivery = z.output<typeof delivery>

/** Sends a test event, once and immediately. */
export const testDealer = defineEndpoint('POST /admin/dealers/:dealerId/test', {
  callers: ['operator'],
  adminAct: 'testedDealer',
  params: oneDealer,
  response: delivery,
  errors: ['NotFound'],
})

/** Newest first. */
export const listDeliveries = defineEndpoint('GET /admin/deliveries', {
  callers: ['administrator'],
  adminAct: 'viewedDeliveries',
  query: pageParams.extend({ state: z.enum(deliveryStates).optional() }),
  response: z.array(delivery),
})

export const replayDelivery = defineEndpoint('POST /admin/deliveries/:deliveryId/replay', {
  callers: ['operator'],
  adminAct: 'replayedDelivery',
  params: z.object({ deliveryId: id }),
  response: delivery,
  errors: ['NotFound', 'DealPaused'],
})
