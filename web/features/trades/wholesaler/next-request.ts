import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { waitsForOffer } from '@keyturn/contract/trades/rules.ts'

/**
 * The next request that waits for an offer: on from the one with this id, then from the top. `order` is the list as it
 * was when the work began; a request that has left it since is skipped.
 */
export function nextWaiting(present: readonly Trade[], order: readonly string[], id: string): Trade | null {
  const place = order.indexOf(id)
  const round = [...order.slice(place + 1), ...order.slice(0, Math.max(place, 0))]
  for (const candidate of round) {
    const trade = present.find(({ _id }) => _id === candidate)
    if (trade && trade._id !== id && waitsForOffer(trade.status)) return trade
  }
  return null
}
