import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { Origin } from '../../platform/http/origin.ts'
import type { CarRow } from './tables.ts'

/** What a change to a listing means for its buyers; `deals` implements it. */
export type ListingHooks = {
  /** Ends an expired hold on a locked car. */
  settleHolds(deps: Deps, tx: Db, car: CarRow): Promise<void>
  /** Throws `DealInProgress`, or `ExclusivityActive` during a hold, when a buyer is confirmed. */
  requireNoConfirmedBuyer(tx: Db, car: CarRow): Promise<void>
  /** Records changed terms in every request and notifies its buyer. */
  recordNewTerms(deps: Deps, tx: Db, by: Origin, from: CarRow, to: CarRow): Promise<void>
  /** Refreshes the car on the open pages of its seller and its buyers. */
  publishCarChange(tx: Db, car: CarRow): Promise<void>
}

export type ListingDeps = Deps & { hooks: ListingHooks }
