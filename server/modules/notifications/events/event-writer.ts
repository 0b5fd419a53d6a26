import type { ServerEventModule } from '@keyturn/contract/notifications/rules.ts'
import type { EventStream } from './open-pages.ts'

export type EventWriter = {
  sendFirst(stream: EventStream): void
  /** Merges the signals of one commit into one event. */
  sendChange(streams: Iterable<EventStream>, rooms: readonly ServerEventModule[]): void
  sendPresence(stream: EventStream): void
  /** Shows that the connection is alive and that nothing else happened up to this position. */
  sendHeartbeat(stream: EventStream): void
}

/** Writes events to streams. Each event carries `position`, the last signal of this process. */
export function createEventWriter(position: () => string | undefined): EventWriter {
  const pending = new WeakMap<EventStream, ReadonlySet<ServerEventModule>>()
  const lastSent = new WeakMap<EventStream, string>()

  const writePosition = (stream: EventStream, otherwise: string) => {
    const current = position()
    // Pending changes happened before this position, and their event will carry it.
    if (!current || current === lastSent.get(stream) || pending.has(stream)) return write(stream, otherwise)
    lastSent.set(stream, current)
    write(stream, `${otherwise}id: ${current}\nevent: position\ndata:\n\n`)
  }
  const flush = (stream: EventStream) => {
    const data = JSON.stringify({ rooms: [...(pending.get(stream) ?? [])] })
    pending.delete(stream)
    const current = position()
    if (current) lastSent.set(stream, current)
    write(stream, `${current ? `id: ${current}\n` : ''}event: changed\ndata: ${data}\n\n`)
  }
  return {
    sendFirst: (stream) => writePosition(stream, `retry: ${retryMs}\n\n`),
    sendChange(streams, rooms) {
      for (const stream of streams) {
        const waiting = pending.get(stream)
        if (!waiting) setImmediate(flush, stream)
        pending.set(stream, new Set([...(waiting ?? []), ...rooms]))
      }
    },
    sendPresence: (stream) => write(stream, 'event: looks\ndata:\n\n'),
    sendHeartbeat: (stream) => writePosition(stream, ':\n\n'),
  }
}

/** Disconnects a page that does not read; on reconnect it sends its last position. */
function write({ response }: EventStream, text: string): void {
  if (response.writableEnded) return
  if (response.writableLength > maxUnreadBytes) response.destroy()
  else response.write(text)
}

/** Delays reconnects, so that a restarted server does not get all requests at once. */
const retryMs = 3_000
/** Counts bytes beyond the system's buffer: about 150 unread events. */
const maxUnreadBytes = 16 * 1024
