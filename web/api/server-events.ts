import type { ServerEventModule } from '@keyturn/contract/notifications/rules.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { requireCurrentReads } from './current-reads.ts'
import { dropPreloadedResponses } from './preloaded-responses.ts'
import { isPageVisible, shareEventStream } from './shared-event-stream.ts'

/**
 * Keeps a signed-in page up to date: the server names the changed modules, and the page refetches
 * their queries. Failures are ignored, because focus and navigation refetch too.
 */
export function useServerEvents(personId: string): void {
  const client = useQueryClient()
  useEffect(() => listenWhileVisible(client, personId), [client, personId])
}

function listenWhileVisible(client: QueryClient, personId: string): () => void {
  if (typeof EventSource === 'undefined') return () => {}
  const stream = shareEventStream(personId, {
    changed: (rooms) => refresh(client, rooms),
    looks: notifyViewerListeners,
  })
  let disconnecting: ReturnType<typeof setTimeout> | undefined
  const followVisibility = () => {
    clearTimeout(disconnecting)
    if (isPageVisible()) return stream.open()
    stream.hide()
    disconnecting = setTimeout(stream.disconnect, hiddenMs)
  }
  followVisibility()
  document.addEventListener('visibilitychange', followVisibility)
  // A page in the back/forward cache must not keep a connection.
  window.addEventListener('pagehide', stream.disconnect)
  window.addEventListener('pageshow', followVisibility)
  return () => {
    clearTimeout(disconnecting)
    document.removeEventListener('visibilitychange', followVisibility)
    window.removeEventListener('pagehide', stream.disconnect)
    window.removeEventListener('pageshow', followVisibility)
    stream.disconnect()
  }
}

/** Subscribes to other people opening and closing one of this person's deals. */
export function onViewersChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const listeners = new Set<() => void>()
const notifyViewerListeners = () => {
  for (const listener of listeners) listener()
}

/** A tab that is hidden for less time does not reconnect. After this time, it sends no requests. */
const hiddenMs = 60_000

function refresh(client: QueryClient, rooms: readonly ServerEventModule[]): void {
  // Unused embedded responses may be older than this event.
  dropPreloadedResponses()
  requireCurrentReads()
  for (const room of rooms) void client.invalidateQueries({ queryKey: [room] })
  // An action in a deal or a trade may resolve a notification (R-notifications-19).
  if (!rooms.includes('notifications') && (rooms.includes('deals') || rooms.includes('trades')))
    void client.invalidateQueries({ queryKey: ['notifications', 'unread'] })
}
