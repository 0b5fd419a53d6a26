import { expect, test } from 'vitest'
import { describeSurplus, describeTradeLoans } from '../cars/loan-texts.ts'
import { type Cents, dollarsToCents } from '../shared/money.ts'
import { leftToPay } from './terms.ts'

const dollars = dollarsToCents
const owed = (value: number, payoffAmount: number | null) => ({
  value: dollars(value),
  owes: true,
  payoffAmount: payoffAmount === null ? null : dollars(payoffAmount),
})
const paidOff = (value: number) => ({ value: dollars(value), owes: false, payoffAmount: dollars(99) })

type TradeIn = { value: Cents; owes?: boolean; payoffAmount?: Cents | null }

// R-trades-38
test.each<[name: string, trades: TradeIn[], left: number, sentence: string]>([
  ['no trade-in', [], 9000, ''],
  ['a trade-in that is paid off', [paidOff(8000)], 1000, ''],
  ['a loan above its value', [owed(8000, 11_000)], 12_000, 'The $11,000 owed on the trade-in is counted.'],
  [
    'an unknown loan',
    [owed(8000, null)],
    1000,
    'A loan on a trade-in is not included, because its payoff amount is not stated.',
  ],
  [
    'a known and an unknown loan',
    [owed(8000, 11_000), owed(500, null), paidOff(100)],
    11_400,
    'The $11,000 owed on the trade-in is counted. A loan on a trade-in is not included, because its payoff amount is not stated.',
  ],
  ['terms of an earlier text', [{ value: dollars(8000) }], 1000, ''],
  ['a trade-in worth more', [paidOff(20_000)], -11_000, 'The trade-in is worth $11,000 more than the price.'],
  [
    'a trade-in worth more than its loan and the price',
    [owed(20_000, 5000)],
    -6000,
    'The trade-in is worth $6,000 more than the price and what is stated as owed on it. The $5,000 owed on the trade-in is counted.',
  ],
])('leaves the price less the trade-ins plus what is owed on them, with %s', (_, trades, left, sentence) => {
  expect(leftToPay(dollars(9000), trades)).toBe(dollars(left))
  const sentences = [describeSurplus(dollars(left), trades), describeTradeLoans(trades)]
  expect(sentences.filter(Boolean).join(' ')).toBe(sentence)
})
