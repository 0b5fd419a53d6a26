import { type Cents, cents, divideToCents } from '../shared/money.ts'

/**
 * The sales tax credit of a trade (R-trades-24 to R-trades-30): an estimate by the trade's ZIP
 * code, in whole cents and exact fractions, without floating point.
 */
const taxRanges = [
  { from: 90001, to: 96162, rule: 'EXEMPT' },
  { from: 20101, to: 24658, rule: 'EXEMPT' },
  { from: 43001, to: 43086, rule: 'EXEMPT' },
  { from: 96701, to: 96899, rule: 'EXEMPT' },
  { from: 48001, to: 49999, rule: 'CAPPED' },
] as const satisfies readonly TaxRange[]
type TaxRange = { from: number; to: number; rule: 'EXEMPT' | 'CAPPED' }

/** In a CAPPED range the taxed amount is at most 10,000 dollars of the price (R-trades-25). */
const cappedAt = cents(10_000 * 100)

export type TaxFraction = { numerator: bigint; denominator: bigint }

/** Parses a decimal such as `0.0625` to an exact fraction; null for any other text. */
export function parseTaxRate(text: unknown): TaxFraction | null {
  if (typeof text !== 'string' && typeof text !== 'number') return null
  const [, whole = '', decimals = ''] = /^(\d*)\.?(\d*)$/.exec(String(text).trim()) ?? []
  // No state taxes at 100% or more, so digits before the point mean that it is not a rate.
  if (whole + decimals === '' || decimals.length > 12 || !/^0*$/.test(whole)) return null
  return { numerator: BigInt(decimals || '0'), denominator: 10n ** BigInt(decimals.length) }
}

export const findTaxRange = (zip: string): TaxRange | null => {
  const number = Number(zip)
  return taxRanges.find(({ from, to }) => from <= number && number <= to) ?? null
}

/** True where no credit applies at any rate, so no lookup is needed (R-trades-28). */
export const isTaxExempt = (zip: string): boolean => findTaxRange(zip)?.rule === 'EXEMPT'

/** The part of a price that the rate is applied to. */
export function taxableAmount(price: Cents, zip: string): Cents {
  const rule = findTaxRange(zip)?.rule
  if (rule === 'EXEMPT') return cents(0)
  return rule === 'CAPPED' ? cents(Math.min(price, cappedAt)) : price
}

/** The credit, rounded half up to the cent; zero without a rate. `zip` is five digits of text. */
export function tradeCredit(price: Cents, zip: string, rate: TaxFraction | null): Cents {
  if (rate === null) return cents(0)
  return divideToCents(BigInt(taxableAmount(price, zip)) * rate.numerator, rate.denominator)
}

/** The trade's price plus its credit. */
export const addCredit = (price: Cents, credit: Cents): Cents => cents(price + credit)
