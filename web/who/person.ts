import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { beginGeneration, whenSessionEnds } from '../wire/renew.ts'

/** Under this key lies the signed-in user; null once it is known that there is none. */
export const userKey = ['accounts', 'user'] as const
/** Everything that only the administrator may read lies under this key. */
export const administratorKey = ['accounts', 'administrator'] as const

/** This browser has a person now, or none; its other tabs notice. */
export function rememberPerson(id: string | null): void {
  here = id ?? ''
  try {
    localStorage.setItem(storageKey, here)
  } catch {
    // Storage is forbidden here: the other tabs learn it from their next 401.
  }
}

/** A person has just signed in or out: nothing that was read before may stay, and a gate still open closes. */
export function beginAnew(client: QueryClient): void {
  beginGeneration('user')
  client.removeQueries({ predicate: ({ queryKey }) => !isUser(queryKey) })
  client.setQueryData(userKey, null)
}

/** Keeps what this tab shows in step with who is signed in, from the first page on and without any schema. */
export function watchPerson(client: QueryClient, toAdministratorsDoor: () => void): void {
  whenSessionEnds((name) => {
    if (name === 'administrator') {
      client.removeQueries({ queryKey: administratorKey, type: 'inactive' })
      return toAdministratorsDoor()
    }
    // A public page keeps what it is showing; behind the gate nothing stays, because the gate closes.
    const isGated = client.getQueryCache().find({ queryKey: userKey })?.isActive() === true
    client.removeQueries({ predicate: (query) => !isUser(query.queryKey) && (isGated || !query.isActive()) })
    client.setQueryData(userKey, null)
  })
  // Another tab signed out, or somebody else in: what stands here belongs to the wrong person.
  window.addEventListener('storage', ({ key }) => key === storageKey && leaveIfChanged())
  // The same for a page that Back brings to life again.
  window.addEventListener('pageshow', ({ persisted }) => persisted && leaveIfChanged())
}

const isUser = (key: QueryKey) => key.join() === userKey.join()

function leaveIfChanged(): void {
  if (here !== '' && localStorage.getItem(storageKey) !== here) location.reload()
}

const storageKey = 'keyturn-person'
let here = ''
