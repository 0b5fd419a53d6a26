import type { ServerEventRoom } from '@keyturn/contract/notifications/rules.ts'
import type { Stream } from './open-pages.ts'

export type EventWriter = {
  sendFirst(stream: Stream): void
  /** Merges the signals of one commit into one event. */
  sendChange(streams: Iterable<Stream>, rooms: readonly ServerEventRoom[]): void
  sendPresence(stream: Stream): void
  /** Shows that the connection is alive and that nothing else happened up to this position. */
  sendHeartbeat(stream: Stream): void
}

/** Writes events to streams. Each event carries `position`, the last signal of this process. */
export function eventWriter(position: () => string | undefined): EventWriter {
  const pending = new WeakMap<Stream, ReadonlySet<ServerEventRoom>>()
  const lastSent = new WeakMap<Stream, string>()

  const writePosition = (stream: Stream, otherwise: string) => {
    const current = position()
    // Pending changes happened before this position, and their event will carry it.
    if (!current || current === lastSent.get(stream) || pending.has(stream)) return write(stream, otherwise)
    lastSent.set(stream, current)
    write(stream, `${otherwise}id: ${current}\nevent: position\ndata:\n\n`)
  }
  const flush = (stream: Stream) => {
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
function write({ response }: Stream, text: string): void {
  if (response.writableEnded) return
  if (response.writableLength > maxUnreadBytes) response.destroy()
  else response.write(text)
}

/** Delays reconnects, so that a restarted server does not get all requests at once. */
const retryMs = 3_000
/** Counts bytes beyond the system's buffer: about 150 unread events. */
const maxUnreadBytes = 16 * 1024
