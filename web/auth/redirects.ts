import type { User } from '@keyturn/contract/accounts/endpoints.ts'
import { returnToParam } from '@keyturn/contract/shared/pages.ts'
import { beginGeneration } from '../api/renew.ts'
import { askForUser, askWhoSignedIn } from './ask-for-user.ts'
import { entryOf, type NavigationTarget } from './history-entry.ts'
import { rememberPerson } from './person.ts'

// Redirects from a page that the server rendered to the app. The state of the history entry holds
// the target.

export function redirectURL(): string | undefined {
  const stored: unknown = history.state?.redirectURL
  return typeof stored === 'string' ? stored : undefined
}

/** The counterpart of `useAfterLogin` in the app. */
export async function continueAfterLogin(
  pathFor: (user: User | null) => string,
  state: NavigationTarget = {},
): Promise<void> {
  beginGeneration('user')
  const user = await askWhoSignedIn(askForUser)
  if (user) rememberPerson(user._id)
  goTo(pathFor(user), { replace: true, state })
  // Never resolves, so that the button stays busy until this document is left.
  await new Promise(() => {})
}

export function goTo(
  path: string,
  { replace = false, state = {} }: { replace?: boolean; state?: NavigationTarget } = {},
) {
  if (Object.values(state).some((one) => one !== undefined)) return goWith(path, state, replace)
  if (replace) location.replace(path)
  else location.assign(path)
}

/**
 * Navigates with a state. A newly loaded document has none, but an entry created here keeps its own
 * on reload.
 */
function goWith(path: string, state: NavigationTarget, replace: boolean): void {
  if (replace) history.replaceState(entryOf(state), '', path)
  else history.pushState(entryOf(state), '', path)
  location.reload()
}

export function resumeRedirect(): void {
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-carries]') : null
    const isAside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    const to = redirectURL()
    if (!link || isAside || to === undefined) return
    event.preventDefault()
    goWith(link.getAttribute('href') ?? '/', { redirectURL: to }, false)
  })
}

let here = location.pathname + location.search

/**
 * Stores the requested page from the address, because the server cannot set history state
 * (R-accounts-24).
 */
export function rememberWantedPage(): void {
  const { pathname, searchParams, hash } = new URL(location.href)
  const wanted = searchParams.get(returnToParam)
  if (wanted === null) return
  searchParams.delete(returnToParam)
  here = searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
  // `ownPath` validates the path where it is used, as for every stored path.
  history.replaceState(entryOf({ redirectURL: wanted + hash }), '', here)
}

export function replaceAddress(address: string): void {
  here = address
  history.replaceState(history.state, '', address)
}

/** Reloads entries that were created without loading a document, by the app or by `goWith`. */
export function reloadOnReturn(): void {
  addEventListener('popstate', () => {
    if (location.pathname + location.search !== here) location.reload()
  })
}
