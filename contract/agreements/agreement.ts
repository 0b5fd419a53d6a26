import { agreement20261101 } from '../frozen/agreement-2026-11-1/text.ts'
import { agreement20261102 } from '../frozen/agreement-2026-11-2/text.ts'
import { type Cents, cents } from '../shared/money.ts'

export const exclusivityHours = 72

/**
 * What both parties sign. `date` is when these terms were set, so that both sign the same sheet.
 */
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
  /**
   * The trade-ins of the request, the amount left to pay, and the seller's loan; since text
   * 2026-11-2.
   */
  trades?: TradeTerms[] | undefined
  leftToPay?: Cents | undefined
  sellerOwes?: boolean | undefined
  /** The released text in which these terms are rendered. */
  textVersion: string
}

/** A trade-in in the terms, at the value that its owner accepted. */
export type TradeTerms = { vin: string; year: number; make: string; model: string; value: Cents }

/** Returns the price less the trade-ins; negative when they are worth more than the car. */
export const leftToPay = (price: Cents, trades: readonly Pick<TradeTerms, 'value'>[]): Cents =>
  cents(trades.reduce<number>((left, { value }) => left - value, price))

export type Agreement = {
  title: string
  version: string
  sample: string
  facts: { label: string; value: string }[]
  /** Explains the figures above; since text 2026-11-2. */
  payment?: { title: string; paragraphs: string[] }
  exclusivity: string
  disclaimer: { title: string; paragraphs: string[] }
  sections: { title: string; paragraphs: string[] }[]
}

/**
 * One released version: its sentences, and its disclosure about electronic signing, which later
 * moved to a text of its own (`consent.ts`).
 */
export type AgreementText = { write(terms: Terms): Agreement; disclosure: readonly string[] }
export type AgreementTexts = Readonly<Record<string, AgreementText>>

/** Every text that anybody may have signed. A released text never changes. */
export const releasedTexts: AgreementTexts = {
  '2026-11-1': agreement20261101,
  '2026-11-2': agreement20261102,
}
/** The version for new signatures. */
export const currentVersion = '2026-11-2'

/**
 * Renders the agreement as data in the terms' text version; the dialog, the package page and the
 * PDF all use it (R-deals-38).
 */
export const agreementOf = (terms: Terms, texts: AgreementTexts = releasedTexts): Agreement =>
  textOf(terms.textVersion, texts).write(terms)

function textOf(version: string, texts: AgreementTexts): AgreementText {
  const text = texts[version]
  if (!text) throw new Error(`There is no agreement of version ${version}`)
  return text
}
