import { type Cents, cents, formatUsd } from '../shared/money.ts'

type StatedLoan = { payoffAmount?: Cents | null | undefined; lender?: string | undefined }

/** Labels of what a person owes on their own car, and sentences about it (R-trades-38). */
export const loanTexts = {
  fields: { payoffAmount: 'Payoff amount (optional)', lender: 'Lender (optional)' },
  hints: {
    payoffAmount: 'What the lender asks for today to pay the loan off, in whole dollars.',
    car: 'Both are part of the agreement.',
    trade: 'Both are part of the agreement. A payoff amount is added to what is left to pay.',
  },
  yes: 'Yes',
  no: 'No',
  notStated: 'amount not stated',
  ofCar: (loan: string) => `owed on the car: ${loan}`,
  to: (lender: string) => `to ${lender}`,
  included: (amount: string) => `The ${amount} owed on the trade-in is counted.`,
  abovePrice: (amount: string, isOwed: boolean) =>
    `The trade-in is worth ${amount} more than the price${isOwed ? ' and what is stated as owed on it' : ''}.`,
  notIncluded: 'A loan on a trade-in is not included, because its payoff amount is not stated.',
} as const

/** `$11,000 to Ally Bank`, as far as it is stated. */
export const formatLoan = ({ payoffAmount, lender }: StatedLoan): string =>
  [payoffAmount == null ? '' : formatUsd(payoffAmount), lender && loanTexts.to(lender)]
    .filter(Boolean)
    .join(' ')

/** `Yes, $11,000 to Ally Bank`: the answer to whether money is owed on a car. */
export const describeOwed = ({ payoff, ...loan }: StatedLoan & { payoff: boolean }): string =>
  payoff ? [loanTexts.yes, formatLoan(loan)].filter(Boolean).join(', ') : loanTexts.no

type TradeLoan = { owes?: boolean | undefined; payoffAmount?: Cents | null | undefined }

/** Says how loans on trade-ins count in what is left to pay; empty without one. */
export function describeTradeLoans(trades: readonly TradeLoan[]): string {
  const owed = trades.filter(({ owes }) => owes)
  const stated = owed.reduce((sum, { payoffAmount }) => sum + (payoffAmount ?? 0), 0)
  return [
    stated > 0 && loanTexts.included(formatUsd(stated as Cents)),
    owed.some(({ payoffAmount }) => payoffAmount == null) && loanTexts.notIncluded,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Says what the trade-ins are worth beyond the rest, like the sheet; empty if anything is left to pay. */
export const describeSurplus = (left: Cents, trades: readonly TradeLoan[]): string =>
  left < 0
    ? loanTexts.abovePrice(
        formatUsd(cents(-left)),
        trades.some(({ owes, payoffAmount }) => owes && payoffAmount != null),
      )
    : ''
