import { type Cents, cents, roundedCents } from '../kit/money.ts'

/**
 * What a loan could cost: an estimate for the eye, never an offer. Everything is whole cents. A part of a cent is
 * rounded half up, once where it arises: in the monthly payment, and in each month's interest. The last payment takes
 * what is left, so that the principal repaid is the amount borrowed to the cent.
 */
export const loanTerms = [24, 36, 48, 60, 72, 84] as const
export type LoanTerm = (typeof loanTerms)[number]

/** Examples of yearly rates for used cars by credit, in hundredths of a percent; the dealer's own may differ. */
export const aprBands = { excellent: 700, good: 950, fair: 1400, low: 1900 } as const
export type AprBand = keyof typeof aprBands

export type Loan = { amount: Cents; termMonths: number; aprBasisPoints: number }
export type LoanYear = { year: number; principal: Cents; interest: Cents; balance: Cents }
export type Estimate = {
  monthlyPayment: Cents
  totalInterest: Cents
  totalPaid: Cents
  /** One entry per year of the term: what of that year's payments repays the loan, and what is interest. */
  years: LoanYear[]
}

/** What is left of the price to borrow; a trade and a down payment above the price leave nothing, never less. */
export const amountToFinance = (parts: { price: Cents; tradeValue: Cents; downPayment: Cents }): Cents =>
  cents(Math.max(0, parts.price - parts.tradeValue - parts.downPayment))

/** What is kept of a wish. The amount was right for the price at which it was reckoned. */
type LoanAsked = { amount: Cents | null; downPayment: Cents | null; tradeValue?: Cents | null | undefined }

/**
 * The amount of a wish at the deal's present price. Where the trade's value came with it, the amount follows the price
 * up and down; else it stays as wished, and is never more than the price leaves to borrow.
 */
export function amountAt(price: Cents, { amount, downPayment, tradeValue }: LoanAsked): Cents | null {
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

/** A year has 12 equal months here, and a rate counts in hundredths of a percent. */
const rateParts = 12n * 10_000n

/** The annuity P·r·(1+r)ⁿ / ((1+r)ⁿ − 1) as one exact fraction: floating point would round on the way. */
function monthlyPaymentOf({ amount, termMonths, aprBasisPoints }: Loan): Cents {
  const months = BigInt(termMonths)
  if (aprBasisPoints === 0) return roundedCents(BigInt(amount), months)
  const rate = BigInt(aprBasisPoints)
  const grown = (rateParts + rate) ** months
  return roundedCents(BigInt(amount) * rate * grown, rateParts * (grown - rateParts ** months))
}

const monthlyInterest = (balance: number, aprBasisPoints: number): Cents =>
  roundedCents(BigInt(balance) * BigInt(aprBasisPoints), rateParts)

function addToYear(years: LoanYear[], year: number, principal: number, interest: number, balance: number) {
  const sofar = years[year - 1] ?? { year, principal: 0, interest: 0 }
  years[year - 1] = {
    year,
    principal: cents(sofar.principal + principal),
    interest: cents(sofar.interest + interest),
    balance: cents(balance),
  }
}
