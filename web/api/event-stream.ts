import { changed, serverEvents, unreadCount } from '@keyturn/contract/notifications/endpoints.ts'
import { type ServerEventModule, serverEventModules } from '@keyturn/contract/notifications/rules.ts'
import { positionName } from '@keyturn/contract/shared/pages.ts'
import { hasErrorCode } from './errors.ts'
import { send } from './send.ts'

export type EventStream = { open(): void; close(): void }
type Heard = {
  /** The stream is connected: no event is missed from now on. */
  opened(): void
  changed(rooms: readonly ServerEventModule[]): void
  /** Somebody opened or closed a deal of this person. */
  looks(): void
}

/**
 * Opens one connection, reconnects until it is closed, and reports missed events on each reconnect
 * (R-notifications-19).
 */
export function openEventStream(heard: Heard): EventStream {
  let source: EventSource | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let wait = shortestWaitMs
  // Empty when the position of this page is unknown, so that the server assumes any change.
  let position = positionOfPage()

  function connect(): void {
    const own = new EventSource(`${serverEvents.path}?after=${encodeURIComponent(position)}`)
    source = own
    const reach = ({ lastEventId }: MessageEvent) => {
      position = lastEventId || position
    }
    own.addEventListener('open', () => {
      wait = shortestWaitMs
      heard.opened()
    })
    own.addEventListener('position', reach)
    own.addEventListener('looks', heard.looks)
    own.addEventListener('changed', (event) => {
      reach(event)
      heard.changed(roomsOf(event.data))
    })
    own.addEventListener('error', () => {
      // The browser reconnects by itself, with the last event id, unless the connection is closed
      // for good.
      if (own === source && own.readyState === EventSource.CLOSED) later()
    })
  }

  function later(): void {
    clearTimeout(retry)
    retry = setTimeout(renewAndConnect, wait * (0.5 + Math.random()))
    wait = Math.min(wait * 2, longestWaitMs)
  }

  /**
   * A rejected stream gives no reason. An ordinary request renews an expired session, or ends it
   * for the page.
   */
  async function renewAndConnect(): Promise<void> {
    const refused = source
    try {
      await send(unreadCount, {})
      if (source === refused && refused) connect()
    } catch (fault) {
      const isOver = hasErrorCode(fault, unreadCount, 'InvalidAccessToken', 'EmailNotVerified')
      if (source === refused && refused && !isOver) later()
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

const shortestWaitMs = 2_000
const longestWaitMs = 60_000

const positionOfPage = (): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${positionName}"]`)?.content ?? ''

function roomsOf(data: unknown): readonly ServerEventModule[] {
  try {
    return changed.parse(JSON.parse(String(data))).rooms
  } catch {
    // A newer server may name modules that this page does not know.
    return serverEventModules
  }
}
