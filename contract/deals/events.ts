import { z } from 'zod'
import { carName } from '../cars/rules.ts'
import { formatWallTime } from '../kit/dates.ts'
import { id } from '../kit/fields.ts'
import { formatMiles } from '../kit/miles.ts'
import { type Cents, formatUsd, usd } from '../kit/money.ts'
import { photoId } from '../kit/photo.ts'
import { sellingTexts } from './selling-texts.ts'
import { termsTexts } from './terms-texts.ts'

const carFacts = z.object({
  year: z.number(),
  make: z.string(),
  carModel: z.string(),
  mileage: z.number(),
  /** Absent in events from before it was part of the terms. */
  payoff: z.boolean().optional(),
})
const tradeFacts = z.object({
  _id: id,
  vin: z.string(),
  year: z.number(),
  make: z.string(),
  carModel: z.string(),
  trim: z.string(),
})
/** With the photos of the car that the signer was shown, where there were any. */
const signed = { name: z.string(), photos: z.array(photoId).optional() }
/** By its name at the time. */
const byDealer = { dealer: z.string() }
export type EventCar = z.output<typeof carFacts>
export type EventTrade = z.output<typeof tradeFacts>

const happened = <const Name extends string, Facts extends z.ZodRawShape>(event: Name, facts: Facts) =>
  z.object({ event: z.literal(event), ...facts })

/**
 * What happened on a deal, as facts: money in cents, cars and trades field by field. Events are stored in this form and
 * worded only when shown (`linesOf`), so a new sentence never touches what was recorded.
 */
export const dealEvent = z.discriminatedUnion('event', [
  happened('started', {}),
  happened('requested', { price: usd }),
  happened('repriced', { from: usd.nullable(), to: usd }),
  happened('tradesChanged', { from: z.array(tradeFacts), to: z.array(tradeFacts) }),
  happened('confirmed', { price: usd }),
  happened('denied', { message: z.string() }),
  happened('released', { message: z.string() }),
  happened('withdrawn', {}),
  happened('sellerSigned', signed),
  happened('buyerSigned', signed),
  happened('termsChanged', { from: carFacts, to: carFacts }),
  happened('priceChanged', { from: usd.nullable(), to: usd }),
  happened('lapsed', {}),
  happened('passed', { dealer: z.string() }),
  // By an administrator, or by the dealer that is named.
  happened('completed', { dealer: z.string().optional() }),
  happened('soldElsewhere', {}),
  happened('tradeRemoved', { trade: tradeFacts }),
  happened('listingRemoved', { reason: z.string().nullable() }),
  happened('dealerAccepted', byDealer),
  happened('documentNeeded', { ...byDealer, document: z.string() }),
  happened('appointmentMade', { ...byDealer, place: z.string(), time: z.string() }),
  happened('sellerPaid', byDealer),
  happened('titleReceived', byDealer),
  happened('dealerCancelled', { ...byDealer, reason: z.string() }),
])
export type DealEvent = z.output<typeof dealEvent>
export type DealEventName = DealEvent['event']
type Facts<Name extends DealEventName> = Extract<DealEvent, { event: Name }>

export const dealEventNames = dealEvent.options.map((option) => option.shape.event.value)

/** The old and the new value as a person reads them. */
export type EventLines = { from?: string; to?: string }

/** How an event's facts read in the timeline and in letters. */
export const linesOf = (event: DealEvent): EventLines =>
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
  termsChanged: (facts) => carChange(facts),
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

/** The trades of a request as the timeline names them. */
const tradesLine = (trades: readonly EventTrade[]): string =>
  trades.map(carName).join(', ') || sellingTexts.noTrades

export const loanLine = (owes: boolean): string => termsTexts.loan[owes ? 'owed' : 'none']

/** A car's terms before and after; the loan is named where it has changed. */
export function carChange({ from, to }: { from: EventCar; to: EventCar }): Required<EventLines> {
  const namesLoan = from.payoff !== undefined && to.payoff !== undefined && from.payoff !== to.payoff
  return { from: carLine(from, namesLoan), to: carLine(to, namesLoan) }
}

const carLine = (car: EventCar, namesLoan: boolean): string =>
  [carName(car), formatMiles(car.mileage), ...(namesLoan ? [loanLine(car.payoff === true)] : [])].join(', ')
