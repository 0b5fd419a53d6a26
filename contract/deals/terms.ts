import { z } from 'zod'
import { terms20261101 } from '../frozen/agreement-2026-11-1/sheet.ts'
import { terms20261102 } from '../frozen/agreement-2026-11-2/sheet.ts'
import { type OwnWords1, ownTerms1, ownTextVersion1 } from '../frozen/own-agreement-1/sheet.ts'
import { type Cents, cents } from '../shared/money.ts'

/** Versions of the agreement's text; `agreements/agreement.ts` renders each. */
const textVersions = ['2026-11-1', '2026-11-2'] as const
export type TextVersion = (typeof textVersions)[number]
export const isTextVersion = (version: string): boolean =>
  (textVersions as readonly string[]).includes(version) || isOwnTextVersion(version)
/** Whether the text is the operator's own; its version is derived from its words. */
export const isOwnTextVersion = (version: string): boolean => ownTextVersion1.test(version)
/** The version for new signatures, unless the operator provides a text. */
export const currentTextVersion = '2026-11-2'

/** `date` is when these terms were set, so that both parties sign the same sheet. */
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
  /** Trade-ins, the amount left to pay, and the seller's loan; present since text 2026-11-2. */
  trades?: TradeTerms[] | undefined
  leftToPay?: Cents | undefined
  sellerOwes?: boolean | undefined
  /** The released text in which these terms are rendered. */
  textVersion: string
  /** The operator's text, if the version names one. */
  words?: OwnWords1 | undefined
}

/** A trade-in in the terms, at the value that its owner accepted. */
export type TradeTerms = { vin: string; year: number; make: string; model: string; value: Cents }

/** Returns the price less the trade-ins; negative when they are worth more than the car. */
export const leftToPay = (price: Cents, trades: readonly Pick<TradeTerms, 'value'>[]): Cents =>
  cents(trades.reduce<number>((left, { value }) => left - value, price))

// Signed terms as JSON, in the frozen format of their text version (R-deals-89).

const signedTerms = z.union([terms20261101, terms20261102, ownTerms1])

export const decodeTerms = (stored: string): Terms => signedTerms.parse(JSON.parse(stored))

export const encodeTerms = (terms: Terms): string => JSON.stringify(signedTerms.parse(terms))
