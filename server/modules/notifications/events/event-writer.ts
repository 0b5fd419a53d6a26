import type { ServerEventModule } from '@keyturn/contract/notifications/rules.ts'
import type { Stream } from './open-pages.ts'

export type EventWriter = {
  greet(stream: Stream): void
  /** Merges the signals of one commit into one event. */
  tell(streams: Iterable<Stream>, rooms: readonly ServerEventModule[]): void
  tellOfLooks(stream: Stream): void
  /** Shows that the connection is alive and that nothing else happened up to this position. */
  beat(stream: Stream): void
}

/**
 * Writes events to streams. `position` is the last signal of this process; each event carries it.
 */
export function eventWriter(position: () => string | undefined): EventWriter {
  const unsaid = new WeakMap<Stream, ReadonlySet<ServerEventModule>>()
  const told = new WeakMap<Stream, string>()

  const sayPosition = (stream: Stream, otherwise: string) => {
    const here = position()
    // Pending changes happened before this position, and their event will carry it.
    if (!here || here === told.get(stream) || unsaid.has(stream)) return write(stream, otherwise)
    told.set(stream, here)
    write(stream, `${otherwise}id: ${here}\nevent: position\ndata:\n\n`)
  }
  const say = (stream: Stream) => {
    const data = JSON.stringify({ rooms: [...(unsaid.get(stream) ?? [])] })
    unsaid.delete(stream)
    const here = position()
    if (here) told.set(stream, here)
    write(stream, `${here ? `id: ${here}\n` : ''}event: changed\ndata: ${data}\n\n`)
  }
  return {
    greet: (stream) => sayPosition(stream, `retry: ${retryMs}\n\n`),
    tell(streams, rooms) {
      for (const stream of streams) {
        const waiting = unsaid.get(stream)
        if (!waiting) setImmediate(say, stream)
        unsaid.set(stream, new Set([...(waiting ?? []), ...rooms]))
      }
    },
    tellOfLooks: (stream) => write(stream, 'event: looks\ndata:\n\n'),
    beat: (stream) => sayPosition(stream, ':\n\n'),
  }
}

/** Disconnects a page that does not read; on reconnect it sends its last position. */
function write({ response }: Stream, text: string): void {
  if (response.writableEnded) return
  if (response.writableLength > cloggedBytes) response.destroy()
  else response.write(text)
}

/** Delays reconnects, so that a restarted server does not get all requests at once. */
const retryMs = 3_000
/** Counts bytes beyond the system's buffer: about 150 unread events. */
const cloggedBytes = 16 * 1024
