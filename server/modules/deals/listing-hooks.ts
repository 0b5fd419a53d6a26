import { isDeepStrictEqual } from 'node:util'
import { carChangeLines, type DealEvent } from '@keyturn/contract/deals/events.ts'
import { isPending, isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { ListingHooks } from '../cars/listing-hooks.ts'
import { toLoan } from '../cars/mappers.ts'
import type { CarRow } from '../cars/tables.ts'
import { recordDealEvent } from './event-repository.ts'
import { money } from './mappers.ts'
import { notifyAskingPrice, notifyTermsChanged, publishCarChange } from './notify.ts'
import { lapseEndedHolds } from './purchase/hold.ts'
import * as store from './repository.ts'

export async function hasConfirmedBuyer(tx: Db, carId: string): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId })
  return all.some((deal) => isReserved(deal.status))
}

/** Throws `ExclusivityActive` during the seller's own hold, `DealInProgress` during a sale. */
export async function requireNoConfirmedBuyer(tx: Db, car: CarRow): Promise<void> {
  const all = await store.findDealsOfCar(tx, { carId: car.id })
  const confirmed = all.find((deal) => isReserved(deal.status))
  if (!confirmed) return
  throw confirmed.exclusiveUntil && !confirmed.passedAt
    ? dealErrors.ExclusivityActive()
    : dealErrors.DealInProgress()
}

export const listingHooks: ListingHooks = {
  lapseEndedHolds,
  requireNoConfirmedBuyer,
  publishCarChange,
  async raiseDealVersions(tx, car) {
    await store.raiseDealVersions(tx, { carId: car.id })
  },
  async recordNewTerms(deps, tx, by, from, to) {
    // Raises all versions, so that a signature sent with a version read before this change is
    // rejected.
    await store.raiseDealVersions(tx, { carId: from.id })
    const events = termsEvents(from, to)
    for (const deal of await store.findDealsOfCar(tx, { carId: from.id }))
      if (deal.status !== 'STARTED')
        for (const event of events) await recordDealEvent(tx, deal.id, 'SELLER', by, event)
    await notifyTermsChanged(deps, tx, from, carChangeLines(events))
  },
  async recordAskingPrice(deps, tx, by, car, to) {
    const event = { event: 'askingPriceChanged', from: money(car.priceCents), to } as const
    const all = await store.findDealsOfCar(tx, { carId: car.id })
    for (const deal of all)
      if (deal.status !== 'STARTED') await recordDealEvent(tx, deal.id, 'SELLER', by, event)
    const offers = all.filter(({ status }) => isPending(status))
    await notifyAskingPrice(deps, tx, car, to, offers)
  },
}

/** A changed loan has an event of its own, which names the amounts, after that of other details. */
function termsEvents(from: CarRow, to: CarRow): DealEvent[] {
  const [before, after] = [eventCar(from), eventCar(to)]
  const [owed, owes] = [eventLoan(from), eventLoan(to)]
  const { payoff } = from
  return [
    ...(isDeepStrictEqual(before, after)
      ? []
      : [{ event: 'termsChanged', from: { ...before, payoff }, to: { ...after, payoff } } as const]),
    ...(isDeepStrictEqual(owed, owes)
      ? []
      : [{ event: 'loanChanged', of: 'CAR', vin: from.vin, from: owed, to: owes } as const]),
  ]
}

const eventLoan = (car: CarRow) => ({ owes: car.payoff, ...toLoan(car) })

const eventCar = ({ year, make, model, mileage }: CarRow) => ({ year, make, carModel: model, mileage })
