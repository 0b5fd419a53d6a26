import type { QueryClient } from '@tanstack/react-query'
import { grow, whenSessionEnds } from './renew.ts'

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

/** A person has just signed in or out: nothing of the one before may stay. */
export function changePerson(client: QueryClient, id: string | null): void {
  grow('user')
  client.clear()
  rememberPerson(id)
}

/** Keeps what this tab shows in step with who is signed in, from the first page on and without any schema. */
export function watchPerson(client: QueryClient, toAdministratorsDoor: () => void): void {
  whenSessionEnds((name) => {
    if (name === 'administrator') {
      client.removeQueries({ queryKey: administratorKey })
      return toAdministratorsDoor()
    }
    client.removeQueries({ predicate: ({ queryKey }) => queryKey.join() !== userKey.join() })
    client.setQueryData(userKey, null)
  })
  // Another tab signed out, or somebody else in: what stands here belongs to the wrong person.
  window.addEventListener('storage', ({ key }) => key === storageKey && leaveIfChanged())
  // The same for a page that Back brings to life again.
  window.addEventListener('pageshow', ({ persisted }) => persisted && leaveIfChanged())
}

function leaveIfChanged(): void {
  if (here !== '' && localStorage.getItem(storageKey) !== here) location.reload()
}

const storageKey = 'keyturn-person'
let here = ''
