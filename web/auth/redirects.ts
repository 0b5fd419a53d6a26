import type { User } from '@keyturn/contract/accounts/endpoints.ts'
import { returnToParam } from '@keyturn/contract/shared/pages.ts'
import { beginGeneration } from '../api/renew-session.ts'
import { fetchSignedInUser, fetchUser } from './fetch-user.ts'
import { createHistoryState, type NavigationTarget } from './history-state.ts'
import { rememberPerson } from './remembered-person.ts'

// Redirects from server-rendered pages to the app. The state of the history entry holds the target.

export function redirectURL(): string | undefined {
  const stored: unknown = history.state?.redirectURL
  return typeof stored === 'string' ? stored : undefined
}

/** Does what `useCompleteLogin` does in the app. */
export async function continueAfterLogin(
  pathFor: (user: User | null) => string,
  state: NavigationTarget = {},
): Promise<void> {
  beginGeneration('user')
  const user = await fetchSignedInUser(fetchUser)
  if (user) rememberPerson(user._id)
  navigateTo(pathFor(user), { replace: true, state })
  // Never resolves, so that the button stays busy until this document is left.
  await new Promise(() => {})
}

export function navigateTo(
  path: string,
  { replace = false, state = {} }: { replace?: boolean; state?: NavigationTarget } = {},
) {
  if (Object.values(state).some((one) => one !== undefined)) return navigateWithState(path, state, replace)
  if (replace) location.replace(path)
  else location.assign(path)
}

/** A newly loaded document has no state, but a reload keeps the state of an entry created here. */
function navigateWithState(path: string, state: NavigationTarget, replace: boolean): void {
  if (replace) history.replaceState(createHistoryState(state), '', path)
  else history.pushState(createHistoryState(state), '', path)
  location.reload()
}

/** Passes the redirect target on when a link leads to another form. */
export function preserveRedirect(): void {
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-carries]') : null
    const isAside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    const to = redirectURL()
    if (!link || isAside || to === undefined) return
    event.preventDefault()
    navigateWithState(link.getAttribute('href') ?? '/', { redirectURL: to }, false)
  })
}

let currentAddress = location.pathname + location.search

/** Moves the requested page from the address to the history state (R-accounts-24). */
export function storeRequestedPage(): void {
  const { pathname, searchParams, hash } = new URL(location.href)
  const requested = searchParams.get(returnToParam)
  if (requested === null) return
  searchParams.delete(returnToParam)
  currentAddress = searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
  // `ownPath` validates this path where it is used, as it does every stored path.
  history.replaceState(createHistoryState({ redirectURL: requested + hash }), '', currentAddress)
}

export function replaceAddress(address: string): void {
  currentAddress = address
  history.replaceState(history.state, '', address)
}

/**
 * Reloads the page on Back or Forward to an entry that was created without loading a document, by
 * the app or by `navigateWithState`.
 */
export function reloadOnReturn(): void {
  addEventListener('popstate', () => {
    if (location.pathname + location.search !== currentAddress) location.reload()
  })
}
