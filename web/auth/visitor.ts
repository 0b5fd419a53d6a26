import type { User } from '@keyturn/contract/accounts/endpoints.ts'
import { askForUser } from './ask-for-user.ts'
import { hasRememberedPerson, onPersonChange } from './person.ts'

/**
 * Reports the visitor of a page that the server rendered; null for a stranger and after a failed
 * request. Sends no request if nobody has signed in with this browser, unless the server knew the
 * visitor.
 */
export function followVisitor(tell: (visitor: User | null) => void): void {
  const isKnown = document.documentElement.dataset.visitor === 'known'
  const ask = async () => tell(isKnown || hasRememberedPerson() ? await askForUser().catch(() => null) : null)
  onPersonChange(() => void ask())
  addEventListener('pageshow', ({ persisted }) => persisted && void ask())
  if (isKnown || hasRememberedPerson()) void ask()
}
