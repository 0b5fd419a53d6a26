import type { User } from '@keyturn/contract/accounts/endpoints.ts'
import { fetchUser } from './fetch-user.ts'
import { hasRememberedPerson, onPersonChange } from './remembered-person.ts'

/**
 * Reports who visits a server-rendered page: null for a stranger and after a failed request. Sends
 * no request if nobody has signed in with this browser, unless the server knew the visitor.
 */
export function watchVisitor(onVisitor: (visitor: User | null) => void): void {
  const isKnown = document.documentElement.dataset.visitor === 'known'
  const refresh = async () =>
    onVisitor(isKnown || hasRememberedPerson() ? await fetchUser().catch(() => null) : null)
  onPersonChange(() => void refresh())
  addEventListener('pageshow', ({ persisted }) => persisted && void refresh())
  if (isKnown || hasRememberedPerson()) void refresh()
}
