import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { parseTradeSearch } from '../../api/search-params.ts'

/**
 * Finds the trade that the address names (as after a click on a notification) once it is loaded.
 * The caller opens it and removes it from the address, so that the notification can open it again.
 * Returns whether the search is still pending.
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
