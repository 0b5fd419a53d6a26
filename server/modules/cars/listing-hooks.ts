import type { Cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { ChangeContext } from '../../platform/http/change-context.ts'
import type { CarRow } from './tables.ts'

/** The effects of a change to a listing on its buyers; `deals` implements them. */
export type ListingHooks = {
  /** Lapses the ended hold of a locked car. */
  lapseEndedHolds(deps: Deps, tx: Db, car: CarRow): Promise<void>
  /** Throws `DealInProgress`, or `ExclusivityActive` during a hold, when a buyer is confirmed. */
  requireNoConfirmedBuyer(tx: Db, car: CarRow): Promise<void>
  /** Raises the versions of the car's deals, whose sheet reads differently now. */
  raiseDealVersions(tx: Db, car: CarRow): Promise<void>
  /** Records changed terms in every request and notifies its buyer. */
  recordNewTerms(deps: Deps, tx: Db, by: ChangeContext, from: CarRow, to: CarRow): Promise<void>
  /** Records a new asking price in every request and notifies buyers with a pending one. */
  recordAskingPrice(deps: Deps, tx: Db, by: ChangeContext, from: CarRow, to: Cents): Promise<void>
  /** Refreshes the car on the open pages of its seller and its buyers. */
  publishCarChange(tx: Db, car: CarRow): Promise<void>
}

export type ListingDeps = Deps & { hooks: ListingHooks }
