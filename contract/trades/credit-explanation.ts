import { type Cents, centsToDollars, divideToCents, formatUsdExact } from '../shared/money.ts'
import {
  addCredit,
  findTaxRange,
  isTaxExempt,
  parseTaxRate,
  type TaxFraction,
  taxableAmount,
  tradeCredit,
} from './tax.ts'
import { tradeTexts } from './texts.ts'

const texts = tradeTexts.tax

/** Formats `6.25%`; without a usable rate, `Unavailable` or `Error` (R-trades-28). */
export function formatTaxRate(text: string | null): string {
  const rate = parseTaxRate(text)
  if (rate === null) return text === texts.error ? texts.error : texts.unavailable
  return percent(rate)
}

export type CreditExplanation = {
  credit: Cents
  total: Cents
  lines: readonly { label: string; value: string }[]
}

/** The credit line by line: ZIP code, range, rate, formula, result. `rate` is as looked up. */
export function explainCredit(price: Cents, zip: string, rate: string | null): CreditExplanation {
  const known = parseTaxRate(rate)
  const credit = tradeCredit(price, zip, known)
  return {
    credit,
    total: addCredit(price, credit),
    lines: [
      { label: texts.zip, value: zip },
      { label: texts.range, value: rangeText(zip) },
      { label: texts.rate, value: formatTaxRate(rate) },
      { label: texts.formula, value: formula(price, zip, known) },
      { label: texts.result, value: formatUsdExact(credit) },
    ],
  }
}

function rangeText(zip: string): string {
  const range = findTaxRange(zip)
  if (range === null) return texts.everywhereElse
  const text = range.rule === 'EXEMPT' ? texts.exempt : texts.capped
  return text(String(range.from), String(range.to))
}

function formula(price: Cents, zip: string, rate: TaxFraction | null): string {
  if (isTaxExempt(zip)) return texts.noFormula
  if (rate === null) return texts.noRate
  return `${formatUsdExact(taxableAmount(price, zip))} × ${percent(rate)}`
}

/** A percentage has two decimals like dollars, so the same rounding serves both. */
const percent = (rate: TaxFraction): string =>
  `${centsToDollars(divideToCents(rate.numerator * 10_000n, rate.denominator)).toFixed(2)}%`
