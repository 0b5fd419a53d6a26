import { z } from 'zod'
import { terms20261101 } from '../frozen/agreement-2026-11-1/sheet.ts'
import { terms20261102 } from '../frozen/agreement-2026-11-2/sheet.ts'
import { terms20261103 } from '../frozen/agreement-2026-11-3/sheet.ts'
import { type OwnWords1, ownTerms1, ownTextVersion1 } from '../frozen/own-agreement-1/sheet.ts'
import { ownTerms2, ownTextVersion2 } from '../frozen/own-agreement-2/sheet.ts'
import { type Cents, cents } from '../shared/money.ts'

/** Versions of the agreement's text; `agreements/agreement.ts` renders each. */
const textVersions = ['2026-11-1', '2026-11-2', '2026-11-3'] as const
export type TextVersion = (typeof textVersions)[number]
export const isTextVersion = (version: string): boolean =>
  (textVersions as readonly string[]).includes(version) || isOwnTextVersion(version)
/** Whether the text is the operator's own; its version is derived from its words. */
export const isOwnTextVersion = (version: string): boolean =>
  ownTextVersion1.test(version) || ownTextVersion2.test(version)
/** The version for new signatures, unless the operator provides a text. */
export const currentTextVersion = '2026-11-3'

/** `date` is when these terms were set, so that both parties sign the same sheet. */
export type Terms = {
  date: string
  /** That date where the car is, and the name of its time zone; present since text 2026-11-3. */
  day?: string | undefined
  zone?: string | undefined
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
  /** What is owed to whom; present since text 2026-11-3. */
  sellerPayoffAmount?: Cents | null | undefined
  sellerLender?: string | undefined
  /** The released text in which these terms are rendered. */
  textVersion: string
  /** The operator's text, if the version names one. */
  words?: OwnWords1 | undefined
}

/** A trade-in in the terms, at the value that its owner accepted. */
export type TradeTerms = {
  vin: string
  year: number
  make: string
  model: string
  value: Cents
} & Partial<Loan>

/**
 * What is owed on a trade-in: `payoffAmount` is null and `lender` empty where they are unknown.
 */
type Loan = { owes: boolean; payoffAmount: Cents | null; lender: string }

/** A trade-in at its value, and what is owed on it. */
type TradeAmounts = Pick<TradeTerms, 'value'> & Partial<Pick<Loan, 'owes' | 'payoffAmount'>>

/**
 * Returns the price less the trade-ins, plus the known payoff amounts of loans on them (R-trades-38).
 * It is negative when the trade-ins are worth more than the rest.
 */
export const leftToPay = (price: Cents, trades: readonly TradeAmounts[]): Cents =>
  cents(
    trades.reduce<number>(
      (left, { value, owes, payoffAmount }) => left - value + (owes ? (payoffAmount ?? 0) : 0),
      price,
    ),
  )

// Signed terms as JSON, in the frozen format of their text version (R-deals-89).

const signedTerms = z.union([terms20261101, terms20261102, terms20261103, ownTerms1, ownTerms2])

export const decodeTerms = (stored: string): Terms => signedTerms.parse(JSON.parse(stored))

export const encodeTerms = (terms: Terms): string => JSON.stringify(signedTerms.parse(terms))
