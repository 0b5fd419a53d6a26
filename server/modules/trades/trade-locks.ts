import type { Db } from '../../platform/database/open.ts'
import { countAttached, lockAccepted } from './repository.ts'
import type { TradeRow } from './tables.ts'

/**
 * Locks the trades that a request wants: the owner's own, accepted, not deleted and in no other deal. Null when any
 * of them is not. The caller holds the locks of car and deal, and has let go of what its own deal held.
 */
export async function lockTradesForRequest(
  tx: Db,
  ownerId: string,
  vins: readonly string[],
): Promise<TradeRow[] | null> {
  const wanted = [...new Set(vins)]
  if (wanted.length === 0) return []
  const rows = await lockAccepted(tx, { ownerId, vins: wanted })
  if (rows.length < wanted.length) return null
  // Only now: what another request did while we waited for the lock is seen by a new statement alone.
  const [{ attached } = { attached: 0 }] = await countAttached(tx, { ids: rows.map((row) => row.id) })
  return attached === 0 ? rows : null
}
