import type { RefusalOf } from '@keyturn/contract/kit/call.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import type { deleteTrade, moveTrade, Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { type Change, changesOf } from '../decide/changes.ts'

/** Of several answers about a trade, the newest one. */
export const newestOf = (seen: Trade, ...known: readonly (Trade | undefined)[]): Trade =>
  known.reduce<Trade>(
    (newest, one) => (one && one._id === seen._id && one.version > newest.version ? one : newest),
    seen,
  )

export const isSameState = (one: Trade, other: Trade) => one.version === other.version

/** What changed between two states, in the words of whoever looks. */
const newsFor =
  (reader: 'owner' | 'wholesaler') =>
  (before: Trade, after: Trade): Change[] => {
    const texts = tradeTexts.changed
    const factsOf = ({ status, price }: Trade) => [
      { label: texts.status, value: tradeStatusLabels[status][reader] },
      { label: texts.price, value: price === null ? texts.noPrice : formatUsd(price) },
    ]
    return changesOf(factsOf(before), factsOf(after))
  }
export const newsForOwner = newsFor('owner')
export const newsForWholesaler = newsFor('wholesaler')

/** Why nothing can be done with what one has read; of a stale version the changes say more. */
export const whyChanged = (refusal: RefusalOf<typeof moveTrade | typeof deleteTrade> | null): string =>
  refusal && refusal.code !== 'StaleVersion' ? refusal.message : tradeTexts.changed.sentence
