import type { ErrorOf } from '@keyturn/contract/shared/endpoint.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import type { deleteTrade, moveTrade, Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { type Change, changesBetween } from '../../api/mutations/changes.ts'

/** Returns the newest of several versions of a trade. */
export const newestTrade = (seen: Trade, ...known: readonly (Trade | undefined)[]): Trade =>
  known.reduce<Trade>(
    (newest, one) => (one && one._id === seen._id && one.version > newest.version ? one : newest),
    seen,
  )

export const isSameState = (one: Trade, other: Trade) => one.version === other.version

const newsFor =
  (reader: 'owner' | 'wholesaler') =>
  (before: Trade, after: Trade): Change[] => {
    const texts = tradeTexts.changed
    const factsOf = ({ status, price, photos }: Trade) => [
      { label: texts.status, value: tradeStatusLabels[status][reader] },
      { label: texts.price, value: price === null ? texts.noPrice : formatUsd(price) },
      { label: texts.photos, value: String(photos.length) },
    ]
    return changesBetween(factsOf(before), factsOf(after))
  }
export const findChangesForOwner = newsFor('owner')
export const findChangesForWholesaler = newsFor('wholesaler')

/**
 * Says why the action is no longer possible. After a stale version, the list of changes explains
 * it.
 */
export const conflictReason = (error: ErrorOf<typeof moveTrade | typeof deleteTrade> | null): string =>
  error && error.code !== 'StaleVersion' ? error.message : tradeTexts.changed.sentence
