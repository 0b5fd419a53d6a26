import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents, dollarsToCents } from '../shared/money.ts'
import {
  amountToFinance,
  amountToFinanceAt,
  aprBands,
  estimateLoan,
  type Loan,
  loanTerms,
  remainingByYear,
} from './financing.ts'

const loan = fc.record({
  amount: fc.integer({ min: 0, max: 1_000_000_000 }).map(cents),
  termMonths: fc.constantFrom(...loanTerms),
  aprBasisPoints: fc.constantFrom(0, ...Object.values(aprBands), 3600),
})

test.each([
  // Textbook figures: 10,000 over five years at 6%, 20,000 over four at 9%, and no interest.
  [{ amount: dollarsToCents(10_000), termMonths: 60, aprBasisPoints: 600 }, 193.33, 1599.68],
  [{ amount: dollarsToCents(20_000), termMonths: 48, aprBasisPoints: 900 }, 497.7, 3889.61],
  [{ amount: dollarsToCents(12_000), termMonths: 24, aprBasisPoints: 0 }, 500, 0],
] as const)('estimates for %j a payment of %d and interest of %d', (given, monthly, interest) => {
  const { monthlyPayment, totalInterest, totalPaid } = estimateLoan(given)
  expect(monthlyPayment).toBe(dollarsToCents(monthly))
  expect(totalInterest).toBe(dollarsToCents(interest))
  expect(totalPaid).toBe(given.amount + totalInterest)
})

test('starts with the whole loan and its interest, and ends with nothing to pay', () => {
  fc.assert(
    fc.property(loan, (given) => {
      const estimate = estimateLoan(given)
      const [start, ...after] = remainingByYear(estimate)
      expect(start).toEqual({ year: 0, balance: given.amount, interest: estimate.totalInterest })
      expect(after.map(({ year, balance }) => [year, balance])).toEqual(
        estimate.years.map(({ year, balance }) => [year, balance]),
      )
      expect(after.at(-1)).toMatchObject({ balance: 0, interest: 0 })
    }),
  )
})

test('repays the loan to the cent over its term', () => {
  fc.assert(
    fc.property(loan, (given) => {
      const { years, totalInterest } = estimateLoan(given)
      expect(years).toHaveLength(given.termMonths / 12)
      expect(sum(years.map((year) => year.principal))).toBe(given.amount)
      expect(sum(years.map((year) => year.interest))).toBe(totalInterest)
      expect(years.at(-1)?.balance).toBe(0)
      for (const { principal, interest } of years) {
        expect(principal).toBeGreaterThanOrEqual(0)
        expect(interest).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test('offers terms of two to seven years at 7, 9.5, 14 or 19 percent', () => {
  expect(loanTerms).toEqual([24, 36, 48, 60, 72, 84])
  expect(aprBands).toEqual({ excellent: 700, good: 950, fair: 1400, low: 1900 })
})

test('computes the payment as an annuity, rounded half up to the cent', () => {
  fc.assert(
    fc.property(loan, (given) => {
      expect(Math.abs(estimateLoan(given).monthlyPayment - annuity(given))).toBeLessThanOrEqual(0.501)
    }),
  )
})

test('costs less per month but more in total for a longer term, and more of both at a higher rate', () => {
  const amount = dollarsToCents(18_500)
  const five = estimateLoan({ amount, termMonths: 60, aprBasisPoints: aprBands.good })
  const seven = estimateLoan({ amount, termMonths: 84, aprBasisPoints: aprBands.good })
  const dearer = estimateLoan({ amount, termMonths: 60, aprBasisPoints: aprBands.low })
  expect(seven.monthlyPayment).toBeLessThan(five.monthlyPayment)
  expect(seven.totalInterest).toBeGreaterThan(five.totalInterest)
  expect(dearer.monthlyPayment).toBeGreaterThan(five.monthlyPayment)
  expect(dearer.totalInterest).toBeGreaterThan(five.totalInterest)
})

test('subtracts the trade and the down payment from the amount, but never below zero', () => {
  const price = dollarsToCents(9_500)
  expect(
    amountToFinance({ price, tradeValue: dollarsToCents(3_000), downPayment: dollarsToCents(500) }),
  ).toBe(dollarsToCents(6_000))
  expect(
    amountToFinance({ price, tradeValue: dollarsToCents(9_000), downPayment: dollarsToCents(1_000) }),
  ).toBe(0)
  expect(estimateLoan({ amount: cents(0), termMonths: 60, aprBasisPoints: 950 }).monthlyPayment).toBe(0)
})

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** The annuity formula in floating point, accurate to far less than a cent. */
function annuity({ amount, termMonths, aprBasisPoints }: Loan): number {
  if (aprBasisPoints === 0) return amount / termMonths
  const rate = aprBasisPoints / 120_000
  return (amount * rate) / (1 - (1 + rate) ** -termMonths)
}

test('limits an entered amount to what is left of the price after the down payment', () => {
  const wish = { amount: dollarsToCents(9500), downPayment: null }
  expect(amountToFinanceAt(dollarsToCents(9000), wish)).toBe(dollarsToCents(9000))
  expect(amountToFinanceAt(dollarsToCents(12_000), wish)).toBe(dollarsToCents(9500))
  expect(amountToFinanceAt(dollarsToCents(9000), { ...wish, downPayment: dollarsToCents(2000) })).toBe(
    dollarsToCents(7000),
  )
  expect(amountToFinanceAt(dollarsToCents(9000), { ...wish, downPayment: dollarsToCents(10_000) })).toBe(0)
  expect(amountToFinanceAt(dollarsToCents(9000), { ...wish, amount: null })).toBe(null)
})

test('raises and lowers the amount with the price when the trade’s value is known', () => {
  const wish = {
    amount: dollarsToCents(6500),
    downPayment: dollarsToCents(1000),
    tradeValue: dollarsToCents(2000),
  }
  expect(amountToFinanceAt(dollarsToCents(9500), wish)).toBe(dollarsToCents(6500))
  expect(amountToFinanceAt(dollarsToCents(9000), wish)).toBe(dollarsToCents(6000))
  expect(amountToFinanceAt(dollarsToCents(10_000), wish)).toBe(dollarsToCents(7000))
})
