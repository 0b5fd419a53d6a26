import type { User } from '@keyturn/contract/accounts/endpoints.ts'
import { askForUser } from './ask-for-user.ts'
import { hasRememberedPerson, onPersonChange } from './person.ts'

/**
 * Tells a page that the server rendered who looks at it, null for a stranger and where the question failed. Nobody is
 * asked about a browser in which nobody has signed in, unless the server knew better.
 */
export function followVisitor(tell: (visitor: User | null) => void): void {
  const isKnown = document.documentElement.dataset.visitor === 'known'
  const ask = async () => tell(isKnown || hasRememberedPerson() ? await askForUser().catch(() => null) : null)
  onPersonChange(() => void ask())
  addEventListener('pageshow', ({ persisted }) => persisted && void ask())
  if (isKnown || hasRememberedPerson()) void ask()
}
