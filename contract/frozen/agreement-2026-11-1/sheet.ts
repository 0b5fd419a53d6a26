import { z } from 'zod'

// What both sign under this text, as JSON. Released: never edited. A change is a new version (docs/how-to.md).

type Cents = number & { readonly unit: 'cents' }
const cents = z.custom<Cents>(Number.isSafeInteger)

export const terms20261101 = z.object({
  date: z.iso.datetime(),
  sellerName: z.string(),
  buyerName: z.string(),
  make: z.string(),
  model: z.string(),
  year: z.number(),
  vin: z.string(),
  mileage: z.number(),
  price: cents,
  textVersion: z.literal('2026-11-1'),
})
export type Terms20261101 = z.output<typeof terms20261101>

const section = z.object({ title: z.string(), paragraphs: z.array(z.string()) })
const words = z.object({
  title: z.string(),
  version: z.literal('2026-11-1'),
  sample: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  exclusivity: z.string(),
  disclaimer: section,
  sections: z.array(section),
})
export type AgreementWords20261101 = z.output<typeof words>

/** Every fact and every sentence. A signature covers the SHA-256 of these bytes. */
export const sheet20261101 = z.object({ terms: terms20261101, agreement: words })
