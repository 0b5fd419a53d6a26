import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { offlineError, readError } from './errors.ts'
import { readStored, writeStored } from './storage.ts'

export type SessionName = 'user' | 'administrator'

const refreshPaths = { user: '/auth/refresh', administrator: '/auth/admin/refresh' } as const

/**
 * Renews an expired session with one refresh for any number of requests and tabs. `seen` is the
 * generation of the rejected request; if it has changed, another request has already refreshed.
 * Returns false if the session is over, after notifying the listeners unless `isQuiet`. Throws
 * `ApiError` if that is unknown (offline, 503).
 */
export async function renewSession(name: SessionName, seen: string, isQuiet = false): Promise<boolean> {
  return runInTurn(name, async () => {
    if (currentGeneration(name) !== seen) return true
    if (isOver(name, seen)) return false
    const response = await refresh(name)
    if (response.ok) {
      beginGeneration(name)
      return true
    }
    if (response.status !== 401) throw await readRefreshError(response, name, seen)
    markEnded(name, seen)
    if (!isQuiet) for (const listener of listeners) listener(name)
    return false
  })
}

/**
 * Returns the id of the session's last renewal, which all tabs share and which is never reused.
 * After signing out has cleared the storage, the last value that this tab has seen still applies.
 */
export function currentGeneration(name: SessionName): string {
  generations[name] = readStored(keyOf(name)) ?? generations[name]
  return generations[name]
}

/** Starts a new generation, so that earlier requests are repeated instead of refreshing again. */
export function beginGeneration(name: SessionName): void {
  generations[name] = `${Date.now()}-${Math.random()}`
  endedGenerations[name] = null
  writeStored(keyOf(name), generations[name])
}

export function onSessionEnd(listener: (name: SessionName) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls the listener when a session ends because its account is suspended, once for each session. */
export function onSuspension(listener: () => void): () => void {
  suspensionListeners.add(listener)
  return () => suspensionListeners.delete(listener)
}

const suspensionListeners = new Set<() => void>()
let suspendedGeneration: string | null = null

async function readRefreshError(response: Response, name: SessionName, seen: string): Promise<ApiError> {
  const fault = await readError(response)
  if (name === 'user' && fault.code === 'AccountSuspended' && suspendedGeneration !== seen) {
    suspendedGeneration = seen
    for (const listener of suspensionListeners) listener()
  }
  return fault
}

const keyOf = (name: SessionName) => `keyturn-${name}-generation`
const generations: Record<SessionName, string> = { user: '', administrator: '' }
/** Also marks the session as ended for the next document of this tab, such as the sign-in form. */
function markEnded(name: SessionName, seen: string): void {
  endedGenerations[name] = seen
  // Without a generation, a later session could not be told apart from this one.
  if (seen) writeStored(endKeyOf(name), seen, 'sessionStorage')
}

const isOver = (name: SessionName, seen: string): boolean =>
  endedGenerations[name] === seen || (seen !== '' && readStored(endKeyOf(name), 'sessionStorage') === seen)

const endKeyOf = (name: SessionName) => `keyturn-${name}-over`
/** The generation whose refresh was rejected; another refresh would fail the same way. */
const endedGenerations: Record<SessionName, string | null> = { user: null, administrator: null }
const listeners = new Set<(name: SessionName) => void>()

async function refresh(name: SessionName): Promise<Response> {
  try {
    return await fetch(refreshPaths[name], {
      headers: { Accept: 'application/json', 'X-Requested-With': 'app' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(30_000),
    })
  } catch {
    throw offlineError()
  }
}

/**
 * Runs one call at a time across all tabs if the browser has Web Locks, otherwise within this tab.
 */
function runInTurn<T>(name: SessionName, run: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(`keyturn-${name}-refresh`, run)
  const turn = queues[name].then(run, run)
  queues[name] = turn
  return turn
}

const queues: Record<SessionName, Promise<unknown>> = {
  user: Promise.resolve(),
  administrator: Promise.resolve(),
}
