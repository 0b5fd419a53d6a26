import { formatUsd } from '@keyturn/contract/kit/money.ts'
import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useState } from 'react'

export type TradeChange = { label: string; before: string; after: string }

/**
 * What a person decides on must not change under the finger: the trade stays as it was first shown until they ask to
 * see it as it is. `present` is how it stands now, undefined once it is gone.
 */
export function useSeenTrade(present: Trade | undefined, atFirst: Trade) {
  const [seen, setSeen] = useState(atFirst)
  const isStale = present !== undefined && present.version > seen.version
  return { seen, show: setSeen, isStale, isGone: present === undefined }
}

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
