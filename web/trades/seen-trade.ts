import { formatUsd } from '@keyturn/contract/kit/money.ts'
import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'

export type TradeChange = { label: string; before: string; after: string }

/** Of several answers about a trade, the newest one. */
export const newestOf = (seen: Trade, ...known: readonly (Trade | undefined)[]): Trade =>
  known.reduce<Trade>(
    (newest, one) => (one && one._id === seen._id && one.version > newest.version ? one : newest),
    seen,
  )

export const isSameState = (one: Trade, other: Trade) => one.version === other.version

/** What changed between two states, in the words of whoever looks. */
export function changesBetween(before: Trade, after: Trade, reader: 'owner' | 'wholesaler'): TradeChange[] {
  const texts = tradeTexts.changed
  const statusOf = (trade: Trade) => tradeStatusLabels[trade.status][reader]
  const priceOf = ({ price }: Trade) => (price === null ? texts.noPrice : formatUsd(price))
  return [
    { label: texts.status, before: statusOf(before), after: statusOf(after) },
    { label: texts.price, before: priceOf(before), after: priceOf(after) },
  ].filter((change) => change.before !== change.after)
}
