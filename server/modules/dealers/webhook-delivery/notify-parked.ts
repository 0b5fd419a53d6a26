import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { publishChange } from '../../notifications/events/publish-change.ts'
import { notify } from '../../notifications/notify.ts'
import { type DealerRow, toDealerConnection } from '../dealer-connection.ts'

type DealParties = { sellerId: string | null; buyerId: string | null }

/** Updates the open pages of both parties, which show the delivery state (R-deals-81). */
export const publishDelivery = (db: Db, { sellerId, buyerId }: DealParties): Promise<void> =>
  publishChange(
    db,
    [sellerId, buyerId].filter((side) => side !== null),
    'deals',
  )

type Parked = { id: string; dealId: string | null; dealer: DealerRow }

/**
 * Reports a parked delivery to the administrator: in the log, in the list of deliveries and, if an
 * address is set, by email.
 */
export async function notifyParked(deps: Deps, tx: Db, { id, dealId, dealer }: Parked): Promise<void> {
  deps.log.error(
    { delivery: id, deal: dealId ?? undefined, dealer: dealer.id },
    'delivery to a dealer parked',
  )
  const { name } = toDealerConnection(deps.config, dealer)
  await notify(deps, tx, 'deliveryParked', {
    about: { passedDealId: null },
    facts: { dealer: name, deliveryId: id },
  })
}
