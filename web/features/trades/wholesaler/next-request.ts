import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { waitsForOffer } from '@keyturn/contract/trades/rules.ts'

/**
 * Returns the next waiting request after this id, starting again at the top when none follows.
 * `order` is the list when the work began; requests that have left the list are skipped.
 */
export function nextRequest(current: readonly Trade[], order: readonly string[], id: string): Trade | null {
  const place = order.indexOf(id)
  const round = [...order.slice(place + 1), ...order.slice(0, Math.max(place, 0))]
  for (const candidate of round) {
    const trade = current.find(({ _id }) => _id === candidate)
    if (trade && trade._id !== id && waitsForOffer(trade.status)) return trade
  }
  return null
}
