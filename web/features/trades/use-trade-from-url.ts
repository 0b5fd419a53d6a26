import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { parseTradeSearch } from '../../api/search-params.ts'

/**
 * Finds the trade whose id is in the URL, as after a click on a notification, once it is loaded.
 * The caller opens it and removes the id from the URL, so that the notification can open it again.
 * Returns whether the trade is still being looked for.
 */
export function useTradeFromUrl(
  loaded: readonly Trade[] | undefined,
  onFound: (trade: Trade) => void,
): boolean {
  const { trade: id } = parseTradeSearch(useSearch({ strict: false }))
  const isLoaded = loaded?.some(({ _id }) => _id === id) === true
  const open = useEffectEvent(() => {
    const trade = loaded?.find(({ _id }) => _id === id)
    if (trade) onFound(trade)
  })
  useEffect(() => {
    if (id && isLoaded) open()
  }, [id, isLoaded])
  return id !== undefined && !isLoaded
}
