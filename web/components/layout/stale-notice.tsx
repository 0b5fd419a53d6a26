import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RegisteredRouter, useRouterState } from '@tanstack/react-router'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { isUnreachable } from '../../api/errors.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { useOnReconnect } from '../feedback/use-on-reconnect.ts'
import { texts } from '../texts.ts'
import { FloatingPanel } from './floating-panel.tsx'

/**
 * Reports failed refetches once, at the bottom edge, while the page keeps its data. Inside the
 * page, the notice would move buttons while somebody taps them.
 */
export function StaleNotice({ router }: { router: RegisteredRouter }) {
  const path = useRouterState({ router, select: ({ location }) => location.pathname })
  return <StaleNoticeOfPage key={path} />
}

/** Its space is kept until navigation, because removing it would move the end of the page too. */
function StaleNoticeOfPage() {
  const client = useQueryClient()
  const isStale = useIsStale(client)
  const [wasStale, setWasStale] = useState(isStale)
  if (isStale && !wasStale) setWasStale(true)
  if (!wasStale) return null
  const retry = () => client.refetchQueries({ type: 'active', predicate: isOld })
  return (
    <FloatingPanel isGone={!isStale}>
      <ErrorNotice onRetry={retry}>{texts.stale}</ErrorNotice>
      {isStale && <RetryOnReconnect onBack={retry} />}
    </FloatingPanel>
  )
}

/** The browser fires its `online` event once, and the first requests after it may still fail. */
function RetryOnReconnect({ onBack }: { onBack: () => unknown }) {
  useOnReconnect(onBack)
  return null
}

function useIsStale(client: QueryClient): boolean {
  const cache = client.getQueryCache()
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache])
  return useSyncExternalStore(subscribe, () => cache.findAll({ type: 'active', predicate: isOld }).length > 0)
}

const isOld = ({ state }: Query): boolean =>
  state.status === 'error' && state.data !== undefined && isUnreachable(state.error)
