import type { Db } from '../../platform/database/open-database.ts'
import { countAttachedTrades, lockAcceptedTrades } from './repository.ts'
import type { TradeRow } from './tables.ts'

/**
 * Locks the trades of a request, which must be the owner's, accepted, not deleted and in no other
 * deal. Returns null otherwise. The caller holds the locks of car and deal, and has released its
 * own deal's trades.
 */
export async function lockTradesForRequest(
  tx: Db,
  ownerId: string,
  vins: readonly string[],
): Promise<TradeRow[] | null> {
  const requested = [...new Set(vins)]
  if (requested.length === 0) return []
  const rows = await lockAcceptedTrades(tx, { ownerId, vins: requested })
  if (rows.length < requested.length) return null
  // A new statement, because only a new one sees what another request committed during the wait.
  const [{ attached } = { attached: 0 }] = await countAttachedTrades(tx, { ids: rows.map((row) => row.id) })
  return attached === 0 ? rows : null
}
