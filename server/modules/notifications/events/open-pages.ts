import type { ServerResponse } from 'node:http'
import type { ChangeSignal } from './signal.ts'

/** An open page that receives changes; the tabs of a browser share one stream. */
export type EventStream = { userId: string; sessionId: string; wholesaler: boolean; response: ServerResponse }

export type OpenPages = {
  readonly size: number
  add(stream: EventStream): ReadonlySet<EventStream>
  remove(stream: EventStream): boolean
  setWholesaler(stream: EventStream, wholesaler: boolean): void
  ofUser(userId: string): readonly EventStream[]
  isReached(stream: EventStream, signal: ChangeSignal): boolean
  ofSession(sessionId: string): readonly EventStream[]
  reachedBy(signal: ChangeSignal): ReadonlySet<EventStream>
  /** Returns the pages that were checked least recently. */
  next(count: number): EventStream[]
  all(): EventStream[]
}

/** The open pages of this process, indexed by the users and sessions that a signal names. */
export function createOpenPages(): OpenPages {
  const byUser = new Map<string, Set<EventStream>>()
  const bySession = new Map<string, Set<EventStream>>()
  const wholesalers = new Set<EventStream>()
  const all = new Set<EventStream>()

  return {
    get size() {
      return all.size
    },
    add(stream) {
      all.add(stream)
      addTo(bySession, stream.sessionId, stream)
      if (stream.wholesaler) wholesalers.add(stream)
      return addTo(byUser, stream.userId, stream)
    },
    remove(stream) {
      removeFrom(byUser, stream.userId, stream)
      removeFrom(bySession, stream.sessionId, stream)
      wholesalers.delete(stream)
      return all.delete(stream)
    },
    setWholesaler(stream, wholesaler) {
      stream.wholesaler = wholesaler
      if (wholesaler && all.has(stream)) wholesalers.add(stream)
      else wholesalers.delete(stream)
    },
    ofUser: (userId) => [...(byUser.get(userId) ?? [])],
    isReached: ({ userId, wholesaler }, signal) =>
      signal.users.includes(userId) || (wholesaler && signal.wholesalers),
    ofSession: (sessionId) => [...(bySession.get(sessionId) ?? [])],
    reachedBy(signal) {
      const reached = new Set(signal.users.flatMap((user) => [...(byUser.get(user) ?? [])]))
      if (signal.wholesalers) for (const stream of wholesalers) reached.add(stream)
      return reached
    },
    next(count) {
      const due = [...all].slice(0, count)
      for (const stream of due) {
        all.delete(stream)
        all.add(stream)
      }
      return due
    },
    all: () => [...all],
  }
}

function addTo(sets: Map<string, Set<EventStream>>, name: string, stream: EventStream): Set<EventStream> {
  const set = sets.get(name) ?? new Set()
  sets.set(name, set.add(stream))
  return set
}

function removeFrom(sets: Map<string, Set<EventStream>>, name: string, stream: EventStream): void {
  const set = sets.get(name)
  if (set?.delete(stream) && set.size === 0) sets.delete(name)
}
