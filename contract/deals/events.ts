import type { z } from 'zod'
import { carName } from '../cars/rules.ts'
import { shownDealEvent1, storedDealEvent1 } from '../frozen/deal-events-1/deal-events.ts'
import { formatWallTime } from '../shared/dates.ts'
import { formatMiles } from '../shared/miles.ts'
import { type Cents, formatUsd, usd } from '../shared/money.ts'
import { sellingTexts } from './selling-texts.ts'
import { termsTexts } from './terms-texts.ts'

/** A deal's event as recorded; `eventLines` words it for display, so new wording changes no record. */
export type RecordedDealEvent = z.output<typeof storedDealEvent1>

export const encodeDealEvent = (event: RecordedDealEvent): string =>
  JSON.stringify(storedDealEvent1.parse(event))

export const decodeDealEvent = (stored: unknown): RecordedDealEvent => storedDealEvent1.parse(stored)

/** A deal event as it appears in responses, with amounts in dollars. */
export const dealEvent = shownDealEvent1(usd)
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

/** Formats a car's terms before and after a change; includes the loan only when it changed. */
export function describeCarChange({ from, to }: { from: EventCar; to: EventCar }): Required<EventLines> {
  const namesLoan = from.payoff !== to.payoff
  return { from: carLine(from, namesLoan), to: carLine(to, namesLoan) }
}

const carLine = (car: EventCar, namesLoan: boolean): string =>
  [carName(car), formatMiles(car.mileage), ...(namesLoan ? [describeLoan(car.payoff)] : [])].join(', ')
