import { logout, type User } from '@keyturn/contract/accounts/endpoints.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type HistoryState, useLocation, useNavigate } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { useCarLink } from '../api/search.ts'
import { send } from '../api/send.ts'
import { Spinner } from '../components/feedback/spinner.tsx'
import { useIsBackOnline } from '../components/feedback/use-online.ts'
import { MessagePage } from '../components/layout/message-page.tsx'
import { texts } from '../components/texts.ts'
import { deleteStoredDevice } from '../pwa/own-device.ts'
import { askForUser, askWhoSignedIn } from './ask-for-user.ts'
import { useOnce } from './once.ts'
import { beginSignedIn, beginSignedOut, rememberPerson, userKey } from './person.ts'

/**
 * Who is signed in, or null. Users change rarely, so caching for a minute saves every screen a call; that it is nobody
 * may change in any other tab.
 */
export const userQuery = queryOptions({
  queryKey: userKey,
  queryFn: askForUser,
  staleTime: ({ state }) => (state.data ? 60_000 : 0),
})

const UserContext = createContext<User | null>(null)

/** The signed-in, verified person; only for screens behind the gate. */
export function useUser(): User {
  const user = use(UserContext)
  if (!user) throw new Error('useUser belongs behind the gate; public pages ask useVisitor')
  return user
}

export const useMyId = (): string => useUser()._id

type GateProps = {
  children: ReactNode
  /** What stands around the way elsewhere, for a page that others may see, too. */
  around?: (elsewhere: ReactNode) => ReactNode
}

/** The gate of the protected layout (R-accounts-24). */
export function Gate({ children, around = (elsewhere) => elsewhere }: GateProps) {
  const asked = useQuery(userQuery)
  const user = asked.data
  const id = user?._id
  const [wasOpen, setWasOpen] = useState(false)
  if (user?.verified && !wasOpen) setWasOpen(true)
  useEffect(() => {
    if (id) rememberPerson(id)
  }, [id])

  if (user === undefined && asked.error) {
    return <OutOfReach cause={asked.error.message} onRetry={() => asked.refetch()} />
  }
  // Nobody, as far as was known: another tab may have signed in since, so this is not decided before the answer.
  if (user === undefined || (user === null && asked.isFetching)) return <Spinner />
  if (!user?.verified) return around(<Elsewhere key={id} user={user} hasEnded={wasOpen} />)
  return <UserContext value={user}>{children}</UserContext>
}

/**
 * Sends people who may not pass to where they can sign in or verify, along with the path to come back to. Somebody
 * whose session has ended while the page was open signs in again (R-accounts-31); a car's page is for who comes new.
 */
function Elsewhere({ user, hasEnded }: { user: User | null; hasEnded: boolean }) {
  const { href, state } = useLocation()
  const redirectURL = (user && state.afterVerifying) ?? href
  const { userId, vin } = useCarLink()
  const navigate = useNavigate()
  const once = useOnce()
  useEffect(() => {
    const along = { state: { redirectURL }, replace: true }
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

/** After signing in (R-accounts-21): asks who it is, then goes to their page. */
export function useAfterLogin() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (pathFor: (user: User | null) => string, state: HistoryState = {}) => {
    beginSignedIn(client)
    const user = await askWhoSignedIn(() => client.fetchQuery({ ...userQuery, staleTime: 0 }))
    if (user) rememberPerson(user._id)
    await navigate({ href: pathFor(user), state, replace: true })
  }
}

/** Ends the session, forgets what was read in it, and goes to /login. `isStuck`: the last try has failed. */
export function useLogOut() {
  const forget = useForget()
  const [isStuck, setStuck] = useState(false)
  const end = async () => {
    setStuck(false)
    // Before the answer, which clears the browser's storage, and with it the way to what was subscribed.
    await deleteStoredDevice()
    await send(logout, {})
    await forget()
  }
  return { isStuck, logOut: () => end().catch(() => setStuck(true)) }
}

/** The session has ended on the server, so this browser forgets the person, too. */
export function useForget() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await deleteStoredDevice()
    // Navigates first, or the gate would remember this page as the path to come back to.
    await navigate({ to: '/login' })
    beginSignedOut(client)
    rememberPerson(null)
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
  }
}

/** The page cannot be shown before the server has answered; it goes on by itself once it does. */
function OutOfReach({ cause, onRetry }: { cause: string; onRetry: () => unknown }) {
  useIsBackOnline(onRetry)
  return (
    <MessagePage title={texts.outOfReach} onRetry={onRetry}>
      {cause} {texts.byItself}
    </MessagePage>
  )
}
