import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { beginGeneration, onSessionEnd } from '../api/renew.ts'
import { readStored, writeStored } from '../api/storage.ts'
import { deleteDrafts, deleteDraftsOfOthers } from './drafts.ts'

/** The key of the signed-in user; null once it is known that there is none. */
export const userKey = ['accounts', 'user'] as const
/** The key prefix of everything that only the administrator may read. */
export const administratorKey = ['accounts', 'administrator'] as const

/** Stores who is signed in, so that the browser's other tabs notice. */
export function rememberPerson(id: string | null): void {
  here = id ?? ''
  if (id) deleteDraftsOfOthers(id)
  // Where storage is blocked, the other tabs find out from their next 401.
  writeStored(storageKey, here)
}

/** After signing out: discards everything read before, and closes a gate that is still open. */
export function beginSignedOut(client: QueryClient): void {
  beginGeneration('user')
  deleteDrafts()
  client.removeQueries({ predicate: ({ queryKey }) => !isUser(queryKey) })
  client.setQueryData(userKey, null)
}

/** After signing in: who it is has to be asked. That it was nobody must not be remembered, should the answer fail to come. */
export function beginSignedIn(client: QueryClient): void {
  beginGeneration('user')
  client.removeQueries()
}

/** Keeps this tab in step with who is signed in; without schemas, because the first page loads it. */
export function watchPerson(client: QueryClient, toAdministratorsDoor: () => void): void {
  onSessionEnd((name) => {
    if (name === 'administrator') {
      client.removeQueries({ queryKey: administratorKey, type: 'inactive' })
      return toAdministratorsDoor()
    }
    // A public page keeps what it shows; behind the gate nothing stays, because the gate closes.
    const isGated = client.getQueryCache().find({ queryKey: userKey })?.isActive() === true
    client.removeQueries({ predicate: (query) => !isUser(query.queryKey) && (isGated || !query.isActive()) })
    client.setQueryData(userKey, null)
  })
  const follow = () => followOtherTab(client)
  window.addEventListener('storage', ({ key }) => key === storageKey && follow())
  // The same for a page restored from the back/forward cache.
  window.addEventListener('pageshow', ({ persisted }) => persisted && follow())
}

/** Whether somebody has signed in with this browser and not out again, as far as it remembers; asks no server. */
export const hasRememberedPerson = (): boolean => Boolean(rememberedPerson())

/** Empty after signing out; null where this browser cannot say. */
export const rememberedPerson = (): string | null => readStored(storageKey)

export function onPersonChange(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => (key === storageKey || key === null) && listener()
  window.addEventListener('storage', hear)
  return () => window.removeEventListener('storage', hear)
}

const isUser = (key: QueryKey) => key.join() === userKey.join()

/** Another tab may have signed out, or signed somebody in. */
function followOtherTab(client: QueryClient): void {
  if (rememberedPerson() === here) return
  // A page of nobody's keeps what is being typed into it, and asks again who is there.
  if (here === '') return void client.invalidateQueries({ predicate: ({ queryKey }) => isUser(queryKey) })
  deleteDrafts()
  location.reload()
}

const storageKey = 'keyturn-person'
let here = ''
