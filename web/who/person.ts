import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { beginGeneration, whenSessionEnds } from '../wire/renew.ts'

/** The key of the signed-in user; null once it is known that there is none. */
export const userKey = ['accounts', 'user'] as const
/** The key prefix of everything that only the administrator may read. */
export const administratorKey = ['accounts', 'administrator'] as const

/** Stores who is signed in, so that the browser's other tabs notice. */
export function rememberPerson(id: string | null): void {
  here = id ?? ''
  try {
    localStorage.setItem(storageKey, here)
  } catch {
    // Storage is blocked; the other tabs find out from their next 401.
  }
}

/** After signing in or out: discards everything read before, and closes a gate that is still open. */
export function beginAnew(client: QueryClient): void {
  beginGeneration('user')
  client.removeQueries({ predicate: ({ queryKey }) => !isUser(queryKey) })
  client.setQueryData(userKey, null)
}

/** Keeps this tab in step with who is signed in; without schemas, because the first page loads it. */
export function watchPerson(client: QueryClient, toAdministratorsDoor: () => void): void {
  whenSessionEnds((name) => {
    if (name === 'administrator') {
      client.removeQueries({ queryKey: administratorKey, type: 'inactive' })
      return toAdministratorsDoor()
    }
    // A public page keeps what it shows; behind the gate nothing stays, because the gate closes.
    const isGated = client.getQueryCache().find({ queryKey: userKey })?.isActive() === true
    client.removeQueries({ predicate: (query) => !isUser(query.queryKey) && (isGated || !query.isActive()) })
    client.setQueryData(userKey, null)
  })
  // Another tab signed out or signed somebody else in, so this tab shows the wrong person's data.
  window.addEventListener('storage', ({ key }) => key === storageKey && leaveIfChanged())
  // The same for a page restored from the back/forward cache.
  window.addEventListener('pageshow', ({ persisted }) => persisted && leaveIfChanged())
}

const isUser = (key: QueryKey) => key.join() === userKey.join()

function leaveIfChanged(): void {
  if (here !== '' && localStorage.getItem(storageKey) !== here) location.reload()
}

const storageKey = 'keyturn-person'
let here = ''
