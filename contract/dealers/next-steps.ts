import type { Party } from '../accounts/rules.ts'
import type { DealerStepName, DeliveryState } from '../deals/rules.ts'
import type { DealerContact, DealerStep } from '../deals/shapes.ts'
import { formatWallTime, hourMs } from '../shared/dates.ts'
import { nextStepsTexts } from './next-steps-texts.ts'
import { dealersTexts } from './texts.ts'

/** The facts of a sale that decide which steps are still ahead. */
export type NextStepFacts = {
  loan: boolean
  /** A trade-in without a loan. */
  trade: boolean
  /** A trade-in on which the buyer still owes money. */
  tradeLoan: boolean
  financing: boolean
  /** Null until both have signed. */
  delivery: DeliveryState | null
  /** Steps that the dealer reported, oldest first. */
  reported: readonly DealerStep[]
  /** The database's clock. */
  now: string
}
type Doer = 'KEYTURN' | 'DEALER' | 'SELLER' | 'BUYER' | 'BOTH' | 'LENDER'
export type NextStep = { step: StepName; by: Doer; title: string; when: string; what: string }

type StepName = keyof typeof nextStepsTexts.steps
type Wish = Partial<Pick<NextStepFacts, 'loan' | 'trade' | 'tradeLoan' | 'financing' | 'delivery'>>
/** Ends a step: the dealer has reported this, or the appointment is over. */
type End = DealerStepName | 'met'
/**
 * `after`: steps that the dealer must all have reported. `until`: events that have not happened
 * yet.
 */
type Row = { step: StepName; by: Doer; only: Wish; after?: readonly DealerStepName[]; until: readonly End[] }

const met = ['complete', 'met'] as const
const titled = ['complete', 'titleReceived'] as const

/** Steps after both have signed, in display order, with their conditions (R-deals-57). */
const rows: readonly Row[] = [
  { step: 'passOn', by: 'KEYTURN', only: { delivery: 'WAITING' }, until: ['complete'] },
  { step: 'stuck', by: 'KEYTURN', only: { delivery: 'PARKED' }, until: ['complete'] },
  { step: 'document', by: 'BOTH', only: {}, after: ['needsDocument'], until: ['complete'] },
  { step: 'call', by: 'DEALER', only: {}, until: ['complete', 'accepted'] },
  {
    step: 'arrange',
    by: 'DEALER',
    only: {},
    after: ['accepted'],
    until: ['complete', 'appointment', 'paidSeller', 'titleReceived'],
  },
  { step: 'appointment', by: 'BOTH', only: {}, after: ['appointment'], until: met },
  { step: 'financing', by: 'BUYER', only: { financing: true }, until: [...met, 'paidSeller'] },
  { step: 'sellerBrings', by: 'SELLER', only: { loan: false }, until: [...met, 'titleReceived'] },
  { step: 'sellerWithLoanBrings', by: 'SELLER', only: { loan: true }, until: [...met, 'titleReceived'] },
  { step: 'buyerBrings', by: 'BUYER', only: {}, until: met },
  { step: 'tradeBrings', by: 'BUYER', only: { trade: true }, until: met },
  { step: 'tradeWithLoanBrings', by: 'BUYER', only: { tradeLoan: true }, until: met },
  { step: 'payoff', by: 'DEALER', only: { loan: true }, until: titled },
  { step: 'title', by: 'SELLER', only: { loan: false }, until: titled },
  { step: 'titleAfterLoan', by: 'LENDER', only: { loan: true }, until: titled },
  { step: 'paid', by: 'DEALER', only: {}, until: ['complete', 'paidSeller'] },
  { step: 'notPaidYet', by: 'DEALER', only: {}, after: ['accepted', 'complete'], until: ['paidSeller'] },
  { step: 'release', by: 'SELLER', only: {}, until: [] },
]

/**
 * Names the document or the appointment that both parties have to act on. Returns null when the
 * dealer's last step was another one, or the appointment is over (R-deals-48).
 */
export function requestedText(
  { last, now }: { last: DealerStep | null; now: string },
  dealer: string,
): string | null {
  const { turns } = dealersTexts
  if (last?.step === 'needsDocument') return turns.needsDocument(dealer)
  if (last?.step === 'appointment' && last.time && !isPastAppointment(last.time, now))
    return turns.appointment(formatWallTime(last.time))
  return null
}

/** The situation before both have signed: every step is ahead. */
export const factsBeforeSigning = {
  delivery: null,
  reported: [],
  now: '',
} as const satisfies Partial<NextStepFacts>

/** Returns the same steps for both parties, in words for the one on `side`. */
export function nextSteps(
  facts: NextStepFacts,
  sale: { dealer: DealerContact; sellerState: string | null; side: Party },
): NextStep[] {
  const ended = endsReached(facts)
  const values = { ...sale, ...latestDetails(facts.reported) }
  return rows
    .filter(
      ({ only, after = [], until }) =>
        Object.entries(only).every(([key, wanted]) => facts[key as keyof Wish] === wanted) &&
        after.every((step) => ended.has(step)) &&
        !until.some((end) => ended.has(end)),
    )
    .map(({ step, by }) => {
      const { title, when, what } = nextStepsTexts.steps[step]
      return { step, by, title: title(values), when: when(values), what: what(values) }
    })
}

const endsReached = ({ reported, now }: NextStepFacts): ReadonlySet<End> =>
  new Set<End>([
    ...reported.map(({ step }) => step),
    ...(isPastAppointment(latestDetails(reported).time, now) ? ['met' as const] : []),
  ])

/** A day of slack, so that latecomers still read what to bring. */
const isPastAppointment = (time: string | undefined, now: string): boolean =>
  time !== undefined && Date.parse(now) - Date.parse(time) > 24 * hourMs

export type Appointment = { place: string; time: string }

/** Returns the appointment that both parties still have to come to; the latest replaces earlier ones. */
export function findAppointment(facts: Pick<NextStepFacts, 'reported' | 'now'>): Appointment | null {
  const { place, time } = latestDetails(facts.reported)
  const isOver = facts.reported.some(({ step }) => step === 'complete' || step === 'cancelled')
  return place && time && !isOver && !isPastAppointment(time, facts.now) ? { place, time } : null
}

/** The latest document or appointment replaces earlier ones. */
const latestDetails = (reported: readonly DealerStep[]) => ({
  document: reported.findLast(({ step }) => step === 'needsDocument')?.document,
  place: reported.findLast(({ step }) => step === 'appointment')?.place,
  time: reported.findLast(({ step }) => step === 'appointment')?.time,
})
