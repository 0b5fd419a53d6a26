import type { ServerEventRoom } from '@keyturn/contract/notifications/rules.ts'
import { openEventStream } from './event-stream.ts'

/** What a tab tells the others of the same person in this browser. */
type Said = { rooms: readonly ServerEventRoom[] } | 'looks' | 'opened' | 'hidden'

export type Heard = { changed(rooms: readonly ServerEventRoom[]): void; looks(): void }

export type SharedEventStream = {
  open(): void
  /** Others may be looked at now. */
  hide(): void
  /** Until it is opened again nothing is heard; then what was missed is told. */
  leave(): void
}

/**
 * One line for all tabs of a person in this browser (R-notifications-21). The tab that was looked at last has it, because
 * a system may put hidden ones to sleep, and says to the others what it hears. When it goes, the lock that it holds falls to
 * the next. Without locks or a channel each tab has a line of its own.
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
    // Another tab has it. One that is looked at keeps its own for a while: what its server tells late is heard twice.
    clearTimeout(closing)
    closing = setTimeout(() => hasLine() || line.close(), isSeen() ? overlapMs : hiddenOverlapMs)
  }

  function takeLine(): void {
    if (!hasLine()) void takePart(true)
  }

  /** Takes the line from whichever tab has it, or waits for that tab to go. */
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

/** This tab's part in who has the line: it takes it at once, or waits for it; with `letGo` it has it. */
type Part = { takes: boolean; withdraw: AbortController; letGo: (() => void) | null }

export const isSeen = (): boolean => document.visibilityState === 'visible'
const canShare = () => 'locks' in navigator && typeof BroadcastChannel !== 'undefined'

/** Longer than a server takes to notice that it hears nothing any more, and to tell its streams so. */
const overlapMs = 10_000
/** Until it is known here that the line was taken. */
const hiddenOverlapMs = 500
