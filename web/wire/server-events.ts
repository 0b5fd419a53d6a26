import { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { changed, liveEvents, unreadCount } from '@keyturn/contract/notifications/calls.ts'
import { type LiveRoom, liveRooms } from '@keyturn/contract/notifications/rules.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { send } from './send.ts'

/**
 * Keeps what a signed-in page shows up to date: the server names the rooms that have changed, and what the page holds
 * of them is asked again. Where this does not work, nothing is said: focus and navigation ask again too.
 */
export function useServerEvents(): void {
  const client = useQueryClient()
  useEffect(() => listenWhileSeen(client), [client])
}

/** A browser opens six connections to one server: pages that nobody looks at must not hold them all. */
function listenWhileSeen(client: QueryClient): () => void {
  if (typeof EventSource === 'undefined') return () => {}
  const line = openLine(client)
  let leaving: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(leaving)
    if (document.visibilityState === 'visible') line.open()
    else leaving = setTimeout(line.close, hiddenMs)
  }
  look()
  document.addEventListener('visibilitychange', look)
  // A page that Back may bring to life again keeps no connection meanwhile.
  window.addEventListener('pagehide', line.close)
  window.addEventListener('pageshow', look)
  return () => {
    clearTimeout(leaving)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('pagehide', line.close)
    window.removeEventListener('pageshow', look)
    line.close()
  }
}

/** Switching between two tabs costs nothing. */
const hiddenMs = 60_000

/** One connection that is opened again for as long as it is wanted. */
function openLine(client: QueryClient) {
  let source: EventSource | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let wait = shortestWaitMs
  let mayHaveMissed = false

  function connect(): void {
    const own = new EventSource(liveEvents.path)
    source = own
    own.addEventListener('open', () => {
      wait = shortestWaitMs
      if (mayHaveMissed) refresh(client, liveRooms)
      mayHaveMissed = false
    })
    own.addEventListener('changed', ({ data }) => refresh(client, roomsOf(data)))
    own.addEventListener('error', () => {
      mayHaveMissed = true
      // While it is not closed for good the browser itself tries again.
      if (own === source && own.readyState === EventSource.CLOSED) later()
    })
  }

  function later(): void {
    clearTimeout(retry)
    retry = setTimeout(renewAndConnect, wait * (0.5 + Math.random()))
    wait = Math.min(wait * 2, longestWaitMs)
  }

  /** A refused stream does not say why. An ordinary call renews a session that has run out, or ends it for the page. */
  async function renewAndConnect(): Promise<void> {
    const refused = source
    try {
      await send(unreadCount, {})
      if (source === refused && refused) connect()
    } catch (fault) {
      const isOver = fault instanceof Refusal && (fault.status === 401 || fault.status === 403)
      if (source === refused && refused && !isOver) later()
    }
  }

  return {
    open(): void {
      if (!source) connect()
    },
    close(): void {
      if (!source) return
      clearTimeout(retry)
      source.close()
      source = null
      mayHaveMissed = true
    },
  }
}

const shortestWaitMs = 2_000
const longestWaitMs = 60_000

function refresh(client: QueryClient, rooms: readonly LiveRoom[]): void {
  for (const room of rooms) void client.invalidateQueries({ queryKey: [room] })
}

function roomsOf(data: unknown): readonly LiveRoom[] {
  try {
    return changed.parse(JSON.parse(String(data))).rooms
  } catch {
    // A newer server names rooms that this page does not know.
    return liveRooms
  }
}
