import type { ServerEventModule } from '@keyturn/contract/notifications/rules.ts'
import { openEventStream } from './event-stream.ts'

/** A message to the other tabs of the same person in this browser. */
type TabMessage = { rooms: readonly ServerEventModule[] } | 'looks' | 'opened' | 'hidden'

export type EventHandlers = { changed(rooms: readonly ServerEventModule[]): void; looks(): void }

export type SharedEventStream = {
  open(): void
  /** Offers the stream to another tab that may be visible. */
  hide(): void
  /** Disconnects. Events that are missed are reported at the next `open`. */
  disconnect(): void
}

/**
 * Shares one event stream between a person's tabs in this browser (R-notifications-21). The tab
 * that was shown last owns the stream by holding a lock, and forwards the events, because the
 * browser may suspend hidden tabs. A tab that disconnects releases the lock to another one. Without
 * Web Locks or BroadcastChannel, each tab has its own stream.
 */
export function shareEventStream(personId: string, handlers: EventHandlers): SharedEventStream {
  const name = `keyturn-changes-${personId}`
  let channel: BroadcastChannel | null = null
  let claim: Claim | null = null
  let closing: ReturnType<typeof setTimeout> | undefined

  const hasStream = () => claim !== null && (claim.isSteal || claim.releaseLock !== null)
  const postToTabs = (message: TabMessage) => channel?.postMessage(message)
  const stream = openEventStream({
    onOpen: () => postToTabs('opened'),
    onChange(rooms) {
      handlers.changed(rooms)
      postToTabs({ rooms })
    },
    onViewersChange() {
      handlers.looks()
      postToTabs('looks')
    },
  })

  function onTabMessage({ data }: MessageEvent<TabMessage>): void {
    if (data === 'hidden') {
      if (isPageVisible()) stealStream()
      return
    }
    if (data === 'looks') {
      handlers.looks()
      return
    }
    if (data !== 'opened') {
      handlers.changed(data.rooms)
      return
    }
    // Another tab has opened its stream. A visible tab keeps its own for a while, so that a late
    // event arrives twice rather than never.
    clearTimeout(closing)
    closing = setTimeout(() => hasStream() || stream.close(), isPageVisible() ? overlapMs : hiddenOverlapMs)
  }

  function stealStream(): void {
    if (!hasStream()) void claimStream(true)
  }

  /** A tab whose lock was stolen waits for it again, until another tab releases it. */
  async function claimStream(isSteal: boolean): Promise<void> {
    claim?.abort.abort()
    const newClaim: Claim = { isSteal, abort: new AbortController(), releaseLock: null }
    claim = newClaim
    const how: LockOptions = isSteal ? { steal: true } : { signal: newClaim.abort.signal }
    try {
      await navigator.locks.request(name, how, () => {
        if (newClaim !== claim) return
        stream.open()
        return new Promise<void>((resolve) => {
          newClaim.releaseLock = resolve
        })
      })
    } catch (fault) {
      if (newClaim !== claim) return
      if (fault instanceof DOMException && fault.name === 'AbortError') return claimStream(false)
      stream.open()
    }
  }

  function release(): void {
    const oldClaim = claim
    claim = null
    oldClaim?.abort.abort()
    oldClaim?.releaseLock?.()
    stream.close()
  }

  function openChannel(): BroadcastChannel {
    const opened = new BroadcastChannel(name)
    opened.addEventListener('message', onTabMessage)
    return opened
  }

  return {
    open(): void {
      if (!canShare()) {
        stream.open()
        return
      }
      channel ??= openChannel()
      stealStream()
    },
    hide(): void {
      if (hasStream()) postToTabs('hidden')
    },
    disconnect(): void {
      clearTimeout(closing)
      release()
      channel?.close()
      channel = null
    },
  }
}

/** A claim steals the lock or waits for it. Once `releaseLock` is set, this tab owns the stream. */
type Claim = { isSteal: boolean; abort: AbortController; releaseLock: (() => void) | null }

export const isPageVisible = (): boolean => document.visibilityState === 'visible'
const canShare = () => 'locks' in navigator && typeof BroadcastChannel !== 'undefined'

/** Longer than a server takes to notice a lost connection and report it to its streams. */
const overlapMs = 10_000
/** The browser reports the stolen lock to this tab within this time. */
const hiddenOverlapMs = 500
