import { offline, readRefusal } from './refusals.ts'

export type SessionName = 'user' | 'administrator'

const refreshPaths = { user: '/auth/refresh', administrator: '/auth/admin/refresh' } as const

/**
 * Renews an ended session: one refresh for any number of requests and tabs. `seen` is the generation under which
 * the refused request was sent; when it is another one meanwhile, another request or tab has refreshed already.
 * False: the session is over, and whoever listens has been told, unless quietly. Throws when nobody could say
 * (offline, 503).
 */
export async function renew(name: SessionName, seen: string, isQuiet = false): Promise<boolean> {
  return inTurn(name, async () => {
    if (generation(name) !== seen) return true
    if (over[name] === seen) return false
    const response = await refresh(name)
    if (response.ok) {
      beginGeneration(name)
      return true
    }
    if (response.status !== 401) throw await readRefusal(response)
    over[name] = seen
    if (!isQuiet) for (const listener of listeners) listener(name)
    return false
  })
}

/**
 * Which of this browser's sessions this is, and how often renewed: a value that was never there before, shared by all
 * tabs. Signing out empties the browser's storage, the administrator's generation included: what this tab has seen
 * last goes on counting.
 */
export function generation(name: SessionName): string {
  try {
    own[name] = localStorage.getItem(keyOf(name)) ?? own[name]
  } catch {
    // Storage is forbidden here: this tab still counts for itself.
  }
  return own[name]
}

/** A sign-in, a sign-out or a refresh: requests sent before it are to be sent once more rather than refreshed. */
export function beginGeneration(name: SessionName): void {
  own[name] = `${Date.now()}-${Math.random()}`
  over[name] = null
  try {
    localStorage.setItem(keyOf(name), own[name])
  } catch {
    // As above.
  }
}

export function whenSessionEnds(listener: (name: SessionName) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const keyOf = (name: SessionName) => `keyturn-${name}-generation`
const own: Record<SessionName, string> = { user: '', administrator: '' }
/** The generation whose refresh was refused: asking again could only be refused again. */
const over: Record<SessionName, string | null> = { user: null, administrator: null }
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
    throw offline()
  }
}

/** One at a time among all tabs where the browser has Web Locks, else among the requests of this tab. */
function inTurn<T>(name: SessionName, run: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(`keyturn-${name}-refresh`, run)
  const turn = queues[name].then(run, run)
  queues[name] = turn
  return turn
}

const queues: Record<SessionName, Promise<unknown>> = {
  user: Promise.resolve(),
  administrator: Promise.resolve(),
}
