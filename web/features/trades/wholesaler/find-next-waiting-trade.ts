import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { takesOffer } from '@keyturn/contract/trades/rules.ts'

/**
 * Returns the next trade that waits for an offer, after the last visited one and wrapping around at
 * the end; null once all were visited. `order` lists the ids when the first offer was opened. Trades
 * that have left the list since then are skipped.
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
    if (trade && !visited.includes(trade._id) && takesOffer(trade)) return trade
  }
  return null
}
