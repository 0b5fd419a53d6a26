import { type Cents, cents, divideToCents } from '../shared/money.ts'

/**
 * Estimates the cost of a loan, in whole cents. The monthly payment and each month's interest are
 * rounded half up. The last payment covers the remainder, so the principal repaid equals the amount
 * to the cent.
 */
export const loanTerms = [24, 36, 48, 60, 72, 84] as const
export type LoanTerm = (typeof loanTerms)[number]

/** Sample annual rates for used cars by credit score, in basis points; the dealer's may differ. */
export const aprBands = { excellent: 700, good: 950, fair: 1400, low: 1900 } as const
export type AprBand = keyof typeof aprBands

export type Loan = { amount: Cents; termMonths: number; aprBasisPoints: number }
type LoanYear = { year: number; principal: Cents; interest: Cents; balance: Cents }
/** `interest`: what the remaining payments include. */
type LoanRemainder = { year: number; balance: Cents; interest: Cents }
export type Estimate = {
  monthlyPayment: Cents
  totalInterest: Cents
  totalPaid: Cents
  /** One entry per year of the term, with that year's principal and interest. */
  years: LoanYear[]
}

/** Returns the part of the price to borrow; never negative. */
export const amountToFinance = (parts: { price: Cents; tradeValue: Cents; downPayment: Cents }): Cents =>
  cents(Math.max(0, parts.price - parts.tradeValue - parts.downPayment))

/** The stored financing wish. The amount fits the price it was calculated for. */
type FinancingWish = {
  amount: Cents | null
  downPayment: Cents | null
  tradeValue?: Cents | null | undefined
}

/**
 * Returns the amount at the deal's current price. With a known trade value it follows the price;
 * otherwise it stays as entered, capped at what the price leaves to borrow.
 */
export function amountToFinanceAt(
  price: Cents,
  { amount, downPayment, tradeValue }: FinancingWish,
): Cents | null {
  if (amount === null) return null
  const left = amountToFinance({
    price,
    tradeValue: tradeValue ?? cents(0),
    downPayment: downPayment ?? cents(0),
  })
  return tradeValue == null ? cents(Math.min(amount, left)) : left
}

export function estimateLoan(loan: Loan): Estimate {
  const monthlyPayment = monthlyPaymentOf(loan)
  const years: LoanYear[] = []
  let balance: number = loan.amount
  for (let month = 0; month < loan.termMonths; month += 1) {
    const interest = monthlyInterest(balance, loan.aprBasisPoints)
    const isLast = month === loan.termMonths - 1
    const principal = isLast ? balance : Math.min(monthlyPayment - interest, balance)
    balance -= principal
    addToYear(years, Math.floor(month / 12) + 1, principal, interest, balance)
  }
  const totalInterest = cents(years.reduce((sum, year) => sum + year.interest, 0))
  return { monthlyPayment, totalInterest, totalPaid: cents(loan.amount + totalInterest), years }
}

/** What is still to pay when the loan begins (year 0), and after each year. */
export function remainingByYear({ years, totalInterest, totalPaid }: Estimate): LoanRemainder[] {
  const start = { year: 0, balance: cents(totalPaid - totalInterest), interest: totalInterest }
  let left: number = totalInterest
  return [
    start,
    ...years.map(({ year, balance, interest }) => {
      left -= interest
      return { year, balance, interest: cents(left) }
    }),
  ]
}

/** Twelve equal months a year, and rates in basis points. */
const rateParts = 12n * 10_000n

/** The annuity P·r·(1+r)ⁿ / ((1+r)ⁿ − 1) as one exact fraction; floating point would round. */
function monthlyPaymentOf({ amount, termMonths, aprBasisPoints }: Loan): Cents {
  const months = BigInt(termMonths)
  if (aprBasisPoints === 0) return divideToCents(BigInt(amount), months)
  const rate = BigInt(aprBasisPoints)
  const grown = (rateParts + rate) ** months
  return divideToCents(BigInt(amount) * rate * grown, rateParts * (grown - rateParts ** months))
}

const monthlyInterest = (balance: number, aprBasisPoints: number): Cents =>
  divideToCents(BigInt(balance) * BigInt(aprBasisPoints), rateParts)

function addToYear(years: LoanYear[], year: number, principal: number, interest: number, balance: number) {
  const sofar = years[year - 1] ?? { year, principal: 0, interest: 0 }
  years[year - 1] = {
    year,
    principal: cents(sofar.principal + principal),
    interest: cents(sofar.interest + interest),
    balance: cents(balance),
  }
}
