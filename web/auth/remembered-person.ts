import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { beginGeneration, onSessionEnd, onSuspension } from '../api/renew-session.ts'
import { readStored, writeStored } from '../api/storage.ts'
import { deleteDrafts, deleteDraftsOfOthers } from './drafts.ts'

/**
 * The query key of the signed-in user. The data is null once it is known that nobody is signed in.
 */
export const userKey = ['accounts', 'user'] as const
/** The prefix of the query keys of everything that only the administrator may read. */
export const administratorKey = ['accounts', 'administrator'] as const

/** Stores who is signed in, so that the browser's other tabs notice. */
export function rememberPerson(id: string | null): void {
  knownPerson = id ?? ''
  if (id) deleteDraftsOfOthers(id)
  // Where storage is blocked, the other tabs notice at their next 401.
  writeStored(storageKey, knownPerson)
}

/** Discards all cached data after signing out, so that a protected page redirects to /login. */
export function resetAfterSignOut(client: QueryClient): void {
  beginGeneration('user')
  deleteDrafts()
  client.removeQueries({ predicate: ({ queryKey }) => !isUser(queryKey) })
  client.setQueryData(userKey, null)
}

/**
 * Drops the cached "nobody" after signing in, so that it is not kept when the next request fails.
 */
export function resetAfterSignIn(client: QueryClient): void {
  beginGeneration('user')
  client.removeQueries()
}

/** Reacts to sign-ins and sign-outs. Uses no schemas, because the first page loads this file. */
export function watchPerson(client: QueryClient, goToAdministratorSignIn: () => void): void {
  onSessionEnd((name) => {
    if (name === 'administrator') {
      client.removeQueries({ queryKey: administratorKey, type: 'inactive' })
      return goToAdministratorSignIn()
    }
    // A public page keeps its data. A protected page redirects, so all data is dropped.
    const isProtected = client.getQueryCache().find({ queryKey: userKey })?.isActive() === true
    client.removeQueries({
      predicate: (query) => !isUser(query.queryKey) && (isProtected || !query.isActive()),
    })
    client.setQueryData(userKey, null)
  })
  // The guard of protected pages then shows why (`suspended-page.tsx`).
  onSuspension(() => void client.resetQueries({ queryKey: userKey }))
  const follow = () => followOtherTab(client)
  window.addEventListener('storage', ({ key }) => key === storageKey && follow())
  // A page restored from the back/forward cache has missed storage events.
  window.addEventListener('pageshow', ({ persisted }) => persisted && follow())
}

/** Whether somebody is signed in as far as this browser knows. Sends no request. */
export const hasRememberedPerson = (): boolean => Boolean(rememberedPerson())

/** Returns an empty string after signing out, and null where the browser blocks storage. */
export const rememberedPerson = (): string | null => readStored(storageKey)

export function onPersonChange(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => (key === storageKey || key === null) && listener()
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

const isUser = (key: QueryKey) => key.join() === userKey.join()

/** Reacts to a sign-in or sign-out in another tab. */
function followOtherTab(client: QueryClient): void {
  const stored = rememberedPerson()
  // Null says nothing about the other tab, because this browser blocks storage.
  if (stored === null || stored === knownPerson) return
  // A page on which nobody was signed in keeps the typed text and only refetches the user.
  if (knownPerson === '')
    return void client.invalidateQueries({ predicate: ({ queryKey }) => isUser(queryKey) })
  deleteDrafts()
  location.reload()
}

const storageKey = 'keyturn-person'
let knownPerson = ''
