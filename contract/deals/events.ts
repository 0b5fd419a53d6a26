import { z } from 'zod'
import { formatLoan, loanTexts } from '../cars/loan-texts.ts'
import { carName } from '../cars/rules.ts'
import { shownDealEvent1, storedDealEvent1 } from '../frozen/deal-events-1/deal-events.ts'
import { shownDealEvent2, storedDealEvent2 } from '../frozen/deal-events-2/deal-events.ts'
import { shownDealEvent3, storedDealEvent3 } from '../frozen/deal-events-3/deal-events.ts'
import { formatWallTime } from '../shared/dates.ts'
import { formatMiles } from '../shared/miles.ts'
import { type Cents, formatUsd, usd } from '../shared/money.ts'
import { sellingTexts } from './selling-texts.ts'
import { termsTexts } from './terms-texts.ts'

/** A deal's event as recorded; `linesOf` words it for display, so new wording changes no record. */
export type RecordedDealEvent = z.output<typeof storedDealEvent>

const storedDealEvent = z.discriminatedUnion('event', [
  ...storedDealEvent1.options,
  ...storedDealEvent2.options,
  ...storedDealEvent3.options,
])

export const encodeDealEvent = (event: RecordedDealEvent): string =>
  JSON.stringify(storedDealEvent.parse(event))

export const decodeDealEvent = (stored: unknown): RecordedDealEvent => storedDealEvent.parse(stored)

/** The same in a response, in dollars. */
export const dealEvent = z.discriminatedUnion('event', [
  ...shownDealEvent1(usd).options,
  ...shownDealEvent2(usd).options,
  ...shownDealEvent3(usd).options,
])
export type DealEvent = z.output<typeof dealEvent>
export type DealEventName = DealEvent['event']
type Facts<Name extends DealEventName> = Extract<DealEvent, { event: Name }>
export type EventCar = Facts<'termsChanged'>['from']
export type EventTrade = Facts<'tradeRemoved'>['trade']

export const dealEventNames = dealEvent.options.map((option) => option.shape.event.value)

/** The old and the new value, formatted. */
export type EventLines = { from?: string; to?: string }

/** Formats the facts of an event for the timeline and for emails. */
export const eventLines = (event: DealEvent): EventLines =>
  (lines[event.event] as (facts: DealEvent) => EventLines)(event)

const lines: { [Name in DealEventName]: (facts: Facts<Name>) => EventLines } = {
  started: () => ({}),
  requested: ({ price }) => ({ to: formatUsd(price) }),
  repriced: (facts) => pricesOf(facts),
  tradesChanged: ({ from, to }) => ({ from: tradesLine(from), to: tradesLine(to) }),
  confirmed: ({ price }) => ({ to: formatUsd(price) }),
  denied: ({ message }) => (message ? { to: message } : {}),
  released: ({ message }) => (message ? { to: message } : {}),
  withdrawn: () => ({}),
  sellerSigned: ({ name }) => ({ to: name }),
  buyerSigned: ({ name }) => ({ to: name }),
  termsChanged: (facts) => describeCarChange(facts),
  priceChanged: (facts) => pricesOf(facts),
  askingPriceChanged: (facts) => pricesOf(facts),
  priceProposed: ({ price }) => ({ to: formatUsd(price) }),
  proposalTakenBack: ({ price }) => ({ to: formatUsd(price) }),
  proposalAccepted: (facts) => pricesOf(facts),
  proposalDeclined: ({ price }) => ({ to: formatUsd(price) }),
  loanChanged: (facts) => describeLoanChange(facts),
  lapsed: () => ({}),
  passed: ({ dealer }) => ({ to: dealer }),
  completed: () => ({}),
  soldElsewhere: () => ({}),
  tradeRemoved: ({ trade }) => ({ from: trade.vin }),
  listingRemoved: ({ reason }) => (reason ? { to: reason } : {}),
  dealerAccepted: () => ({}),
  documentNeeded: ({ document }) => ({ to: document }),
  appointmentMade: ({ place, time }) => ({ to: appointmentLine(place, time) }),
  sellerPaid: () => ({}),
  titleReceived: () => ({}),
  dealerCancelled: ({ reason }) => ({ to: reason }),
}

const appointmentLine = (place: string, time: string): string => `${formatWallTime(time)}, ${place}`

const pricesOf = ({ from, to }: { from: Cents | null; to: Cents }): EventLines => ({
  ...(from === null ? {} : { from: formatUsd(from) }),
  to: formatUsd(to),
})

/** Formats the trades of a request for the timeline. */
const tradesLine = (trades: readonly EventTrade[]): string =>
  trades.map(carName).join(', ') || sellingTexts.noTrades

export const describeLoan = (owes: boolean): string => termsTexts.loan[owes ? 'owed' : 'none']

const describeLoanChange = ({
  from,
  to,
}: Pick<Facts<'loanChanged'>, 'from' | 'to'>): Required<EventLines> => ({
  from: loanLine(from),
  to: loanLine(to),
})

const loanLine = (loan: Facts<'loanChanged'>['from']): string =>
  loan.owes
    ? [loan.payoffAmount === null && loanTexts.notStated, formatLoan(loan)].filter(Boolean).join(', ')
    : termsTexts.loan.none

/** Formats the changes of a car's terms as one, for an email, where no label says which are the loan's. */
export function carChangeLines(events: readonly DealEvent[]): Required<EventLines> {
  const lineOf = (side: 'from' | 'to') =>
    events
      .map((event) => {
        const line = eventLines(event)[side] ?? ''
        return event.event === 'loanChanged' ? loanTexts.ofCar(line) : line
      })
      .join('; ')
  return { from: lineOf('from'), to: lineOf('to') }
}

/** Formats a car's terms before and after a change; includes the loan only when it changed. */
function describeCarChange({ from, to }: { from: EventCar; to: EventCar }): Required<EventLines> {
  const namesLoan = from.payoff !== to.payoff
  return { from: carLine(from, namesLoan), to: carLine(to, namesLoan) }
}

const carLine = (car: EventCar, namesLoan: boolean): string =>
  [carName(car), formatMiles(car.mileage), ...(namesLoan ? [describeLoan(car.payoff)] : [])].join(', ')
