import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isOutOfReach } from './refusals.ts'
import { Floating } from './ui/floating.tsx'
import { texts } from './ui/texts.ts'
import { Trouble } from './ui/trouble.tsx'

/**
 * What stands on the page stays when it cannot be asked again. Said once and above the page instead of in it: a network
 * that comes and goes must not move a button away under a finger.
 */
export function StaleNotice() {
  const client = useQueryClient()
  if (!useIsStale(client)) return null
  const retry = () => client.refetchQueries({ type: 'active', predicate: isStale })
  return (
    <Floating>
      <Trouble onRetry={retry}>{texts.stale}</Trouble>
    </Floating>
  )
}

function useIsStale(client: QueryClient): boolean {
  const cache = client.getQueryCache()
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache])
  return useSyncExternalStore(
    subscribe,
    () => cache.findAll({ type: 'active', predicate: isStale }).length > 0,
  )
}

const isStale = ({ state }: Query): boolean =>
  state.status === 'error' && state.data !== undefined && isOutOfReach(state.error)
