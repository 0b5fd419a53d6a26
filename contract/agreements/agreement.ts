import { agreement20261101 } from '../frozen/agreement-2026-11-1/text.ts'
import { agreement20261102 } from '../frozen/agreement-2026-11-2/text.ts'
import { type Cents, cents } from '../shared/money.ts'

export const exclusivityHours = 72

/** What both sides sign. `date` is when these terms were set, so that both sign the same sheet. */
export type Terms = {
  date: string
  sellerName: string
  buyerName: string
  make: string
  model: string
  year: number
  vin: string
  mileage: number
  price: Cents
  /** The trade-ins of the request, what they leave to pay, and the seller's loan: in the terms since text 2026-11-2. */
  trades?: TradeTerms[] | undefined
  leftToPay?: Cents | undefined
  sellerOwes?: boolean | undefined
  /** Which released text these terms are written into. */
  textVersion: string
}

/** A trade-in as both sign it, at the value that its owner has accepted. */
export type TradeTerms = { vin: string; year: number; make: string; model: string; value: Cents }

/** The price less the trade-ins; below zero where they are worth more than the car. */
export const leftToPay = (price: Cents, trades: readonly Pick<TradeTerms, 'value'>[]): Cents =>
  cents(trades.reduce<number>((left, { value }) => left - value, price))

export type Agreement = {
  title: string
  version: string
  sample: string
  facts: { label: string; value: string }[]
  /** What the figures above mean; since text 2026-11-2. */
  payment?: { title: string; paragraphs: string[] }
  exclusivity: string
  disclaimer: { title: string; paragraphs: string[] }
  sections: { title: string; paragraphs: string[] }[]
}

/** One released version: its sentences, and what signers were told about signing electronically while that had no text of its own (`consent.ts`). */
export type AgreementText = { write(terms: Terms): Agreement; disclosure: readonly string[] }
export type AgreementTexts = Readonly<Record<string, AgreementText>>

/** Every text that anybody may have signed. A released text never changes, not by a letter. */
export const releasedTexts: AgreementTexts = {
  '2026-11-1': agreement20261101,
  '2026-11-2': agreement20261102,
}
/** The version for new signatures. */
export const currentVersion = '2026-11-2'

/** The agreement as data, in the terms' text version; the dialog, the package page and the PDF all render it (R-deals-38). */
export const agreementOf = (terms: Terms, texts: AgreementTexts = releasedTexts): Agreement =>
  textOf(terms.textVersion, texts).write(terms)

function textOf(version: string, texts: AgreementTexts): AgreementText {
  const text = texts[version]
  if (!text) throw new Error(`There is no agreement of version ${version}`)
  return text
}
