import type { User } from '@keyturn/contract/accounts/endpoints.ts'
import { wantedParam } from '@keyturn/contract/shared/pages.ts'
import { beginGeneration } from '../api/renew.ts'
import { askForUser, askWhoSignedIn } from './ask-for-user.ts'
import { entryOf, type NavigationTarget } from './history-entry.ts'
import { rememberPerson } from './person.ts'

// From a page that the server rendered to the app, which knows by the state of the history entry where somebody wanted to go.

export function redirectURL(): string | undefined {
  const stored: unknown = history.state?.redirectURL
  return typeof stored === 'string' ? stored : undefined
}

/** As `useAfterLogin` does in the app. */
export async function continueAfterLogin(
  pathFor: (user: User | null) => string,
  state: NavigationTarget = {},
): Promise<void> {
  beginGeneration('user')
  const user = await askWhoSignedIn(askForUser)
  if (user) rememberPerson(user._id)
  goTo(pathFor(user), { replace: true, state })
  // Until this document is left, its button goes on saying that it works.
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

/** A document that is loaded has no state; an entry that is made here and loaded anew keeps its own. */
function goWith(path: string, state: NavigationTarget, replace: boolean): void {
  if (replace) history.replaceState(entryOf(state), '', path)
  else history.pushState(entryOf(state), '', path)
  location.reload()
}

/** Links to the other forms take along where the person wanted to go. */
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

/** The server sends a stranger here with the page that they wanted in the address, since it can set no state (R-accounts-24). */
export function rememberWantedPage(): void {
  const { pathname, searchParams, hash } = new URL(location.href)
  const wanted = searchParams.get(wantedParam)
  if (wanted === null) return
  searchParams.delete(wantedParam)
  here = searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
  // Whether it is a path of ours is asked where it is used, as of every stored one.
  history.replaceState(entryOf({ redirectURL: wanted + hash }), '', here)
}

export function replaceAddress(address: string): void {
  here = address
  history.replaceState(history.state, '', address)
}

/** Entries that were made without loading a document, by the app or by `goWith`, have none of their own to come back to. */
export function reloadOnReturn(): void {
  addEventListener('popstate', () => {
    if (location.pathname + location.search !== here) location.reload()
  })
}
