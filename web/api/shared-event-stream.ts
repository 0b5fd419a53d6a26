import type { ServerEventModule } from '@keyturn/contract/notifications/rules.ts'
import { openEventStream } from './event-stream.ts'

/** A message to the other tabs of the same person in this browser. */
type Said = { rooms: readonly ServerEventModule[] } | 'looks' | 'opened' | 'hidden'

export type Heard = { changed(rooms: readonly ServerEventModule[]): void; looks(): void }

export type SharedEventStream = {
  open(): void
  /** Another tab may be visible now. */
  hide(): void
  /** Disconnects. Events missed until the next `open` are reported then. */
  leave(): void
}

/**
 * Shares one event stream between all tabs of a person in this browser (R-notifications-21). The
 * last visible tab owns it, because a system may suspend hidden ones, and forwards its events. When
 * it closes, its lock passes to the next tab. Without locks or a channel, each tab has its own
 * stream.
 */
export function shareEventStream(personId: string, heard: Heard): SharedEventStream {
  const name = `keyturn-changes-${personId}`
  let channel: BroadcastChannel | null = null
  let part: Part | null = null
  let closing: ReturnType<typeof setTimeout> | undefined

  const hasLine = () => part !== null && (part.takes || part.letGo !== null)
  const say = (said: Said) => channel?.postMessage(said)
  const line = openEventStream({
    opened: () => say('opened'),
    changed(rooms) {
      heard.changed(rooms)
      say({ rooms })
    },
    looks() {
      heard.looks()
      say('looks')
    },
  })

  function hear({ data }: MessageEvent<Said>): void {
    if (data === 'hidden') {
      if (isSeen()) takeLine()
      return
    }
    if (data === 'looks') {
      heard.looks()
      return
    }
    if (data !== 'opened') {
      heard.changed(data.rooms)
      return
    }
    // Another tab has taken over. A visible tab keeps its own stream for a while: a late event
    // arrives twice rather than never.
    clearTimeout(closing)
    closing = setTimeout(() => hasLine() || line.close(), isSeen() ? overlapMs : hiddenOverlapMs)
  }

  function takeLine(): void {
    if (!hasLine()) void takePart(true)
  }

  /** Steals the lock from the tab that owns the stream, or waits for it. */
  async function takePart(takes: boolean): Promise<void> {
    part?.withdraw.abort()
    const own: Part = { takes, withdraw: new AbortController(), letGo: null }
    part = own
    const how: LockOptions = takes ? { steal: true } : { signal: own.withdraw.signal }
    try {
      await navigator.locks.request(name, how, () => {
        if (own !== part) return
        line.open()
        return new Promise<void>((resolve) => {
          own.letGo = resolve
        })
      })
    } catch (fault) {
      if (own !== part) return
      if (fault instanceof DOMException && fault.name === 'AbortError') return takePart(false)
      line.open()
    }
  }

  function release(): void {
    const own = part
    part = null
    own?.withdraw.abort()
    own?.letGo?.()
    line.close()
  }

  function openChannel(): BroadcastChannel {
    const opened = new BroadcastChannel(name)
    opened.addEventListener('message', hear)
    return opened
  }

  return {
    open(): void {
      if (!canShare()) {
        line.open()
        return
      }
      channel ??= openChannel()
      takeLine()
    },
    hide(): void {
      if (hasLine()) say('hidden')
    },
    leave(): void {
      clearTimeout(closing)
      release()
      channel?.close()
      channel = null
    },
  }
}

/**
 * This tab's claim to the stream: it steals the lock or waits for it. With `letGo` it owns the
 * stream.
 */
type Part = { takes: boolean; withdraw: AbortController; letGo: (() => void) | null }

export const isSeen = (): boolean => document.visibilityState === 'visible'
const canShare = () => 'locks' in navigator && typeof BroadcastChannel !== 'undefined'

/** Longer than a server takes to notice a lost connection and report it to its streams. */
const overlapMs = 10_000
/** Until this tab learns that another one took over. */
const hiddenOverlapMs = 500
