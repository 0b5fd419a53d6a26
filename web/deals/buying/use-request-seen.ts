import { useSeen } from '../../decide/seen.ts'
import { newsOfRequest, type RequestState } from './request-news.ts'

/** A buyer's own request as they read it, and what has changed since. `present` is undefined once it is gone. */
export function useRequestSeen<Row extends RequestState | undefined>(present: Row, isOwn: boolean) {
  const seen = useSeen(present, (one, other) => newsOfRequest(one, other).length === 0, isOwn)
  return { ...seen, changes: seen.isStale && seen.shown && present ? newsOfRequest(seen.shown, present) : [] }
}
