import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { beginGeneration, onSessionEnd } from '../api/renew-session.ts'
import { readStored, writeStored } from '../api/storage.ts'
import { deleteDrafts, deleteDraftsOfOthers } from './drafts.ts'

/** The key of the signed-in user; null once it is known that there is none. */
export const userKey = ['accounts', 'user'] as const
/** The key prefix of everything that only the administrator may read. */
export const administratorKey = ['accounts', 'administrator'] as const

/** Stores who is signed in, so that the browser's other tabs notice. */
export function rememberPerson(id: string | null): void {
  knownPerson = id ?? ''
  if (id) deleteDraftsOfOthers(id)
  // Where storage is blocked, the other tabs find out from their next 401.
  writeStored(storageKey, knownPerson)
}

/** Discards all cached data after signing out, and closes a gate that is still open. */
export function resetAfterSignOut(client: QueryClient): void {
  beginGeneration('user')
  deleteDrafts()
  client.removeQueries({ predicate: ({ queryKey }) => !isUser(queryKey) })
  client.setQueryData(userKey, null)
}

/** Forgets the cached "nobody" after signing in, so that a failed request does not keep it. */
export function resetAfterSignIn(client: QueryClient): void {
  beginGeneration('user')
  client.removeQueries()
}

/** Follows sign-ins and sign-outs. Uses no schemas, because the first page loads it. */
export function watchPerson(client: QueryClient, goToAdministratorSignIn: () => void): void {
  onSessionEnd((name) => {
    if (name === 'administrator') {
      client.removeQueries({ queryKey: administratorKey, type: 'inactive' })
      return goToAdministratorSignIn()
    }
    // A public page keeps its data. Behind the gate all data is dropped, because the gate closes.
    const isGated = client.getQueryCache().find({ queryKey: userKey })?.isActive() === true
    client.removeQueries({ predicate: (query) => !isUser(query.queryKey) && (isGated || !query.isActive()) })
    client.setQueryData(userKey, null)
  })
  const follow = () => followOtherTab(client)
  window.addEventListener('storage', ({ key }) => key === storageKey && follow())
  // The same for a page restored from the back/forward cache.
  window.addEventListener('pageshow', ({ persisted }) => persisted && follow())
}

/** Whether somebody is signed in as far as this browser remembers. Sends no request. */
export const hasRememberedPerson = (): boolean => Boolean(rememberedPerson())

/** Empty after signing out; null where this browser cannot know. */
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
  // Null says nothing about the other tab: this browser blocks its storage.
  if (stored === null || stored === knownPerson) return
  // A page without a signed-in person keeps its typed text and refetches the user.
  if (knownPerson === '')
    return void client.invalidateQueries({ predicate: ({ queryKey }) => isUser(queryKey) })
  deleteDrafts()
  location.reload()
}

const storageKey = 'keyturn-person'
let knownPerson = ''
