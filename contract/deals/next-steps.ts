import { nextStepsTexts } from './next-steps-texts.ts'

/** What of a sale decides which steps follow. */
export type Situation = { loan: boolean; trade: boolean; financing: boolean }
/** As the operator has set it; what is not set is not said. */
export type Dealer = { name: string; phone: string | null; hours: string | null }
type Doer = 'DEALER' | 'SELLER' | 'BUYER' | 'BOTH' | 'LENDER'
export type NextStep = { by: Doer; when: string; what: string }

type StepName = keyof typeof nextStepsTexts.steps
type Row = { step: StepName; by: Doer; only: Partial<Situation> }

/** Who does what once both have signed, in this order, and in which situations (R-deals-57). */
const rows: readonly Row[] = [
  { step: 'call', by: 'DEALER', only: {} },
  { step: 'financing', by: 'BUYER', only: { financing: true } },
  { step: 'sellerBrings', by: 'SELLER', only: { loan: false } },
  { step: 'sellerWithLoanBrings', by: 'SELLER', only: { loan: true } },
  { step: 'buyerBrings', by: 'BUYER', only: {} },
  { step: 'tradeBrings', by: 'BUYER', only: { trade: true } },
  { step: 'payoff', by: 'DEALER', only: { loan: true } },
  { step: 'title', by: 'BOTH', only: { loan: false } },
  { step: 'titleAfterLoan', by: 'LENDER', only: { loan: true } },
  { step: 'paid', by: 'DEALER', only: {} },
  { step: 'release', by: 'SELLER', only: {} },
]

/** The same list for both sides of a sale. */
export const nextSteps = (
  situation: Situation,
  sale: { dealer: Dealer; sellerState: string | null },
): NextStep[] =>
  rows
    .filter(({ only }) =>
      Object.entries(only).every(([key, wanted]) => situation[key as keyof Situation] === wanted),
    )
    .map(({ step, by }) => {
      const { when, what } = nextStepsTexts.steps[step]
      return { by, when: when(sale), what: what(sale) }
    })
