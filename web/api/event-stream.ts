import {
  changedModules,
  readUnreadCount,
  streamServerEvents,
} from '@keyturn/contract/notifications/endpoints.ts'
import { type ServerEventModule, serverEventModules } from '@keyturn/contract/notifications/rules.ts'
import { eventPositionName } from '@keyturn/contract/shared/pages.ts'
import { hasErrorCode } from './errors.ts'
import { send } from './send.ts'

export type EventStream = { open(): void; close(): void }
type StreamHandlers = {
  /** The stream is connected, so no event is missed from now on. */
  onOpen(): void
  onChange(rooms: readonly ServerEventModule[]): void
  /** Somebody opened or closed one of this person's deals. */
  onViewersChange(): void
}

/**
 * Connects, reconnects until closed, and reports the events missed in between (R-notifications-19).
 */
export function openEventStream(handlers: StreamHandlers): EventStream {
  let source: EventSource | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let waitMs = minWaitMs
  // Empty when unknown: the server then reports a change of every module.
  let position = positionOfPage()

  function connect(): void {
    const own = new EventSource(`${streamServerEvents.path}?after=${encodeURIComponent(position)}`)
    source = own
    const savePosition = ({ lastEventId }: MessageEvent) => {
      position = lastEventId || position
    }
    own.addEventListener('open', () => {
      waitMs = minWaitMs
      handlers.onOpen()
    })
    own.addEventListener('position', savePosition)
    own.addEventListener('looks', handlers.onViewersChange)
    own.addEventListener('changed', (event) => {
      savePosition(event)
      handlers.onChange(roomsOf(event.data))
    })
    own.addEventListener('error', () => {
      // The browser reconnects on its own, with the last event id, unless the connection is closed
      // for good.
      if (own === source && own.readyState === EventSource.CLOSED) scheduleReconnect()
    })
  }

  function scheduleReconnect(): void {
    clearTimeout(retry)
    retry = setTimeout(renewAndConnect, waitMs * (0.5 + Math.random()))
    waitMs = Math.min(waitMs * 2, maxWaitMs)
  }

  /**
   * A rejected stream does not say why, so an ordinary request renews the session or finds it
   * ended.
   */
  async function renewAndConnect(): Promise<void> {
    const rejected = source
    try {
      await send(readUnreadCount, {})
      if (source === rejected && rejected) connect()
    } catch (fault) {
      const isOver = hasErrorCode(fault, readUnreadCount, 'InvalidAccessToken', 'EmailNotVerified')
      if (source === rejected && rejected && !isOver) scheduleReconnect()
    }
  }

  return {
    open(): void {
      if (!source) connect()
    },
    close(): void {
      clearTimeout(retry)
      source?.close()
      source = null
    },
  }
}

const minWaitMs = 2_000
const maxWaitMs = 60_000

const positionOfPage = (): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${eventPositionName}"]`)?.content ?? ''

function roomsOf(data: unknown): readonly ServerEventModule[] {
  try {
    return changedModules.parse(JSON.parse(String(data))).rooms
  } catch {
    // A newer server may name modules that this page does not know.
    return serverEventModules
  }
}
