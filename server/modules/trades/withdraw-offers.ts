import type { Db } from '../../platform/database/open-database.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import { enqueueEndNotifications } from './expire-offers.ts'
import { publishTradeChange } from './notify.ts'
import * as store from './repository.ts'
import { recordTradeEvent } from './trade-events.ts'

/** Withdraws a leaving wholesaler's offers, however old, so that others can make offers. */
export async function withdrawOffers(tx: Db, { id, sessionId }: UserActor): Promise<void> {
  const rows = await store.markOffersWithdrawn(tx, { wholesalerId: id })
  for (const row of rows)
    await recordTradeEvent(tx, row, 'withdraw', { actor: 'WHOLESALER', id, sessionId, requestId: null })
  if (rows.length === 0) return
  await publishTradeChange(
    tx,
    rows.map((row) => row.ownerId),
  )
  await enqueueEndNotifications(tx)
}
