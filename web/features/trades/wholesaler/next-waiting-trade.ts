import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { waitsForOffer } from '@keyturn/contract/trades/rules.ts'

/**
 * Returns the next waiting request after the last visited one, wrapping around at the end, and none
 * twice. `order` is the list when the work began; requests that have left it are skipped.
 */
export function findNextWaitingTrade(
  current: readonly Trade[],
  order: readonly string[],
  visited: readonly string[],
): Trade | null {
  const place = order.indexOf(visited.at(-1) ?? '')
  const round = [...order.slice(place + 1), ...order.slice(0, Math.max(place, 0))]
  for (const candidate of round) {
    const trade = current.find(({ _id }) => _id === candidate)
    if (trade && !visited.includes(trade._id) && waitsForOffer(trade.status)) return trade
  }
  return null
}
