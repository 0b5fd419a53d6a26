import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents, dollars } from '../shared/money.ts'
import { amountAt, amountToFinance, aprBands, estimateLoan, type Loan, loanTerms } from './financing.ts'

const loan = fc.record({
  amount: fc.integer({ min: 0, max: 1_000_000_000 }).map(cents),
  termMonths: fc.constantFrom(...loanTerms),
  aprBasisPoints: fc.constantFrom(0, ...Object.values(aprBands), 3600),
})

test.each([
  // Textbook figures: 10,000 over five years at 6%, 20,000 over four at 9%, and no interest.
  [{ amount: dollars(10_000), termMonths: 60, aprBasisPoints: 600 }, 193.33, 1599.68],
  [{ amount: dollars(20_000), termMonths: 48, aprBasisPoints: 900 }, 497.7, 3889.61],
  [{ amount: dollars(12_000), termMonths: 24, aprBasisPoints: 0 }, 500, 0],
] as const)('estimates a payment of $1 and interest of $2 for %j', (given, monthly, interest) => {
  const { monthlyPayment, totalInterest, totalPaid } = estimateLoan(given)
  expect(monthlyPayment).toBe(dollars(monthly))
  expect(totalInterest).toBe(dollars(interest))
  expect(totalPaid).toBe(given.amount + totalInterest)
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
  const amount = dollars(18_500)
  const five = estimateLoan({ amount, termMonths: 60, aprBasisPoints: aprBands.good })
  const seven = estimateLoan({ amount, termMonths: 84, aprBasisPoints: aprBands.good })
  const dearer = estimateLoan({ amount, termMonths: 60, aprBasisPoints: aprBands.low })
  expect(seven.monthlyPayment).toBeLessThan(five.monthlyPayment)
  expect(seven.totalInterest).toBeGreaterThan(five.totalInterest)
  expect(dearer.monthlyPayment).toBeGreaterThan(five.monthlyPayment)
  expect(dearer.totalInterest).toBeGreaterThan(five.totalInterest)
})

test('subtracts the trade and the down payment from the amount, but never below zero', () => {
  const price = dollars(9_500)
  expect(amountToFinance({ price, tradeValue: dollars(3_000), downPayment: dollars(500) })).toBe(
    dollars(6_000),
  )
  expect(amountToFinance({ price, tradeValue: dollars(9_000), downPayment: dollars(1_000) })).toBe(0)
  expect(estimateLoan({ amount: cents(0), termMonths: 60, aprBasisPoints: 950 }).monthlyPayment).toBe(0)
})

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** The same formula in floating point, accurate to far less than a cent. */
function annuity({ amount, termMonths, aprBasisPoints }: Loan): number {
  if (aprBasisPoints === 0) return amount / termMonths
  const rate = aprBasisPoints / 120_000
  return (amount * rate) / (1 - (1 + rate) ** -termMonths)
}

test('limits an entered amount to what is left of the price after the down payment', () => {
  const wish = { amount: dollars(9500), downPayment: null }
  expect(amountAt(dollars(9000), wish)).toBe(dollars(9000))
  expect(amountAt(dollars(12_000), wish)).toBe(dollars(9500))
  expect(amountAt(dollars(9000), { ...wish, downPayment: dollars(2000) })).toBe(dollars(7000))
  expect(amountAt(dollars(9000), { ...wish, downPayment: dollars(10_000) })).toBe(0)
  expect(amountAt(dollars(9000), { ...wish, amount: null })).toBe(null)
})

test('raises and lowers the amount with the price when the trade’s value is known', () => {
  const wish = { amount: dollars(6500), downPayment: dollars(1000), tradeValue: dollars(2000) }
  expect(amountAt(dollars(9500), wish)).toBe(dollars(6500))
  expect(amountAt(dollars(9000), wish)).toBe(dollars(6000))
  expect(amountAt(dollars(10_000), wish)).toBe(dollars(7000))
})
