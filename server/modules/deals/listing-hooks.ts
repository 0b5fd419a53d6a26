import { isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { ListingHooks } from '../cars/listing-hooks.ts'
import type { CarRow } from '../cars/tables.ts'
import { recordDealEvent } from './event-repository.ts'
import { notifyTermsChanged, publishCarChange } from './notify.ts'
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
  async recordNewTerms(deps, tx, by, from, to) {
    // Raises all versions, so that a signature sent with a version read before this change is
    // rejected.
    await store.raiseDealVersions(tx, { carId: from.id })
    const event = { event: 'termsChanged', from: eventCar(from), to: eventCar(to) } as const
    for (const deal of await store.findDealsOfCar(tx, { carId: from.id }))
      if (deal.status !== 'STARTED') await recordDealEvent(tx, deal.id, 'SELLER', by, event)
    await notifyTermsChanged(deps, tx, from, event)
  },
}

const eventCar = ({ year, make, model, mileage, payoff }: CarRow) => ({
  year,
  make,
  carModel: model,
  mileage,
  payoff,
})
