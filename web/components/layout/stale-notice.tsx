import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RegisteredRouter, useRouterState } from '@tanstack/react-router'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { isUnreachable } from '../../api/errors.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { useIsBackOnline } from '../feedback/use-online.ts'
import { texts } from '../texts.ts'
import { Floating } from './floating.tsx'

/**
 * When refetching fails, the page keeps what it shows. This is said once, above the page and not in it, so that an
 * unstable network does not move buttons as somebody taps them.
 */
export function StaleNotice({ router }: { router: RegisteredRouter }) {
  const path = useRouterState({ router, select: ({ location }) => location.pathname })
  return <StaleNoticeOfPage key={path} />
}

/** Its space is kept until another page is opened, because removing it would move the end of the page, too. */
function StaleNoticeOfPage() {
  const client = useQueryClient()
  const isStale = useIsStale(client)
  const [wasStale, setWasStale] = useState(isStale)
  if (isStale && !wasStale) setWasStale(true)
  if (!wasStale) return null
  const retry = () => client.refetchQueries({ type: 'active', predicate: isOld })
  return (
    <Floating isGone={!isStale}>
      <ErrorNotice onRetry={retry}>{texts.stale}</ErrorNotice>
      {isStale && <AsksAgain onBack={retry} />}
    </Floating>
  )
}

/** The browser says once that it is online again, and the first requests after it may still fail. */
function AsksAgain({ onBack }: { onBack: () => unknown }) {
  useIsBackOnline(onBack)
  return null
}

function useIsStale(client: QueryClient): boolean {
  const cache = client.getQueryCache()
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache])
  return useSyncExternalStore(subscribe, () => cache.findAll({ type: 'active', predicate: isOld }).length > 0)
}

const isOld = ({ state }: Query): boolean =>
  state.status === 'error' && state.data !== undefined && isUnreachable(state.error)
