import { changed, serverEvents, unreadCount } from '@keyturn/contract/notifications/calls.ts'
import { type ServerEventRoom, serverEventRooms } from '@keyturn/contract/notifications/rules.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { dropFirstAnswers, hasFirstAnswers } from './first-answers.ts'
import { isRefusedWith } from './refusals.ts'
import { send } from './send.ts'

/**
 * Keeps a signed-in page up to date: the server names the rooms that have changed, and the page refetches what it holds
 * of them. Failures are silent, because focus and navigation refetch too.
 */
export function useServerEvents(): void {
  const client = useQueryClient()
  useEffect(() => listenWhileSeen(client), [client])
}

/** A browser allows six connections per server, which hidden pages must not use up. */
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
  // A page in the back/forward cache must not keep a connection.
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

/** Long enough that switching between tabs does not reconnect. */
const hiddenMs = 60_000

/** One connection, reopened for as long as it is wanted. */
function openLine(client: QueryClient) {
  let source: EventSource | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let wait = shortestWaitMs
  // What the page brought is older than this connection.
  let mayHaveMissed = hasFirstAnswers

  function connect(): void {
    const own = new EventSource(serverEvents.path)
    source = own
    own.addEventListener('open', () => {
      wait = shortestWaitMs
      dropFirstAnswers()
      if (mayHaveMissed) refresh(client, serverEventRooms)
      mayHaveMissed = false
    })
    own.addEventListener('changed', ({ data }) => refresh(client, roomsOf(data)))
    own.addEventListener('error', () => {
      mayHaveMissed = true
      // Unless the connection is closed for good, the browser itself retries.
      if (own === source && own.readyState === EventSource.CLOSED) later()
    })
  }

  function later(): void {
    clearTimeout(retry)
    retry = setTimeout(renewAndConnect, wait * (0.5 + Math.random()))
    wait = Math.min(wait * 2, longestWaitMs)
  }

  /** A refused stream gives no reason. An ordinary call renews an expired session, or ends it for the page. */
  async function renewAndConnect(): Promise<void> {
    const refused = source
    try {
      await send(unreadCount, {})
      if (source === refused && refused) connect()
    } catch (fault) {
      const isOver = isRefusedWith(fault, unreadCount, 'InvalidAccessToken', 'EmailNotVerified')
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

function refresh(client: QueryClient, rooms: readonly ServerEventRoom[]): void {
  for (const room of rooms) void client.invalidateQueries({ queryKey: [room] })
  // What somebody has done in a deal or a trade is unread no more (R-notifications-16).
  if (!rooms.includes('notifications') && (rooms.includes('deals') || rooms.includes('trades')))
    void client.invalidateQueries({ queryKey: ['notifications', 'unread'] })
}

function roomsOf(data: unknown): readonly ServerEventRoom[] {
  try {
    return changed.parse(JSON.parse(String(data))).rooms
  } catch {
    // A newer server may name rooms that this page does not know.
    return serverEventRooms
  }
}
