import { logout, refresh, type User } from '@keyturn/contract/accounts/endpoints.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type HistoryState, useLocation, useNavigate } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { hasErrorCode } from '../api/errors.ts'
import { useCarSearch } from '../api/search-params.ts'
import { send } from '../api/send.ts'
import { Spinner } from '../components/feedback/spinner.tsx'
import { useOnReconnect } from '../components/feedback/use-on-reconnect.ts'
import { ErrorPage } from '../components/layout/error-page.tsx'
import { texts } from '../components/texts.ts'
import { deleteStoredDevice } from '../pwa/push-device.ts'
import { fetchSignedInUser, fetchUser } from './fetch-user.ts'
import { rememberPerson, resetAfterSignIn, resetAfterSignOut, userKey } from './remembered-person.ts'
import { SuspendedPage } from './suspended-page.tsx'
import { useRunOnce } from './use-run-once.ts'

/**
 * The signed-in person, or null. People rarely change their data, so a minute of caching saves one
 * request per screen. Null is never cached, because another tab may sign in at any time.
 */
export const userQuery = queryOptions({
  queryKey: userKey,
  queryFn: fetchUser,
  staleTime: ({ state }) => (state.data ? 60_000 : 0),
})

const UserContext = createContext<User | null>(null)

/** Returns the signed-in, verified person. Works only on protected pages. */
export function useUser(): User {
  const user = use(UserContext)
  if (!user) throw new Error('useUser works only on protected pages; public pages call useVisitor')
  return user
}

export const useMyId = (): string => useUser()._id

type RequireSessionProps = {
  children: ReactNode
  /** Wraps the redirect on a page that others may see as well. */
  wrapRedirect?: (elsewhere: ReactNode) => ReactNode
}

/**
 * The guard of the protected pages: shows them to signed-in, verified people and redirects everybody
 * else (R-accounts-24).
 */
export function RequireSession({ children, wrapRedirect = (elsewhere) => elsewhere }: RequireSessionProps) {
  const asked = useQuery(userQuery)
  const user = asked.data
  const id = user?._id
  const [wasOpen, setWasOpen] = useState(false)
  if (user?.verified && !wasOpen) setWasOpen(true)
  useEffect(() => {
    if (id) rememberPerson(id)
  }, [id])

  if (asked.error && hasErrorCode(asked.error, refresh, 'AccountSuspended'))
    return <SuspendedPage why={asked.error.message} />
  if (user === undefined && asked.error) {
    return <UnreachablePage cause={asked.error.message} onRetry={() => asked.refetch()} />
  }
  // Another tab may have signed in since null was cached, so this waits for the response.
  if (user === undefined || (user === null && asked.isFetching)) return <Spinner />
  if (!user?.verified) return wrapRedirect(<RedirectToSignIn key={id} user={user} hasEnded={wasOpen} />)
  return <UserContext value={user}>{children}</UserContext>
}

/**
 * Redirects people to sign-in or verification, with the path to return to. A session that ended
 * while the page was open leads to sign-in (R-accounts-31); a new visitor to a car goes to its
 * public page.
 */
function RedirectToSignIn({ user, hasEnded }: { user: User | null; hasEnded: boolean }) {
  const { href, state } = useLocation()
  const redirectURL = (user && state.afterVerifying) ?? href
  const { userId, vin } = useCarSearch()
  const navigate = useNavigate()
  const once = useRunOnce()
  useEffect(() => {
    const along = { state: { redirectURL, hasEnded }, replace: true }
    once(() => {
      if (user) {
        const address = user.pendingEmail ?? user.email
        return navigate({ to: '/email/$address', params: { address }, ...along })
      }
      if (userId && vin && !hasEnded)
        return navigate({ to: '/buy-this-car', search: { userId, vin }, ...along })
      return navigate({ to: '/login', ...along })
    })
  }, [user, redirectURL, userId, vin, hasEnded, navigate, once])
  return <Spinner />
}

/** Fetches the person after signing in (R-accounts-21), then navigates to their page. */
export function useCompleteLogin() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (pathFor: (user: User | null) => string, state: HistoryState = {}) => {
    resetAfterSignIn(client)
    const user = await fetchSignedInUser(() => client.fetchQuery({ ...userQuery, staleTime: 0 }))
    if (user) rememberPerson(user._id)
    await navigate({ href: pathFor(user), state, replace: true })
  }
}

/** Ends the session and navigates to /login. `isStuck` means that the last attempt failed. */
export function useLogOut() {
  const forget = useForgetPerson()
  const [isStuck, setStuck] = useState(false)
  const end = async () => {
    setStuck(false)
    // Runs before the request, because the response clears the storage that holds the push
    // subscription.
    await deleteStoredDevice()
    await send(logout, {})
    await forget()
  }
  return { isStuck, logOut: () => end().catch(() => setStuck(true)) }
}

/** Removes the person from this browser after the session has ended on the server. */
export function useForgetPerson() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await deleteStoredDevice()
    // Navigates first, or the guard would store this page as the path to return to.
    await navigate({ to: '/login' })
    resetAfterSignOut(client)
    rememberPerson(null)
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
  }
}

/** Shown until the server answers. Retries on its own. */
function UnreachablePage({ cause, onRetry }: { cause: string; onRetry: () => unknown }) {
  useOnReconnect(onRetry)
  return (
    <ErrorPage title={texts.outOfReach} onRetry={onRetry}>
      {cause} {texts.byItself}
    </ErrorPage>
  )
}
