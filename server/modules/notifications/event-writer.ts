import type { ServerEventRoom } from '@keyturn/contract/notifications/rules.ts'
import type { Stream } from './open-pages.ts'

export type EventWriter = {
  greet(stream: Stream): void
  /** What one commit says in several signals arrives as one event. */
  tell(streams: Iterable<Stream>, rooms: readonly ServerEventRoom[]): void
  tellOfLooks(stream: Stream): void
  /** The line is alive, and up to here nothing else was to be said. */
  beat(stream: Stream): void
}

/** Writes to streams. `position` is where this process stands: each event says up to where its reader has heard. */
export function eventWriter(position: () => string | undefined): EventWriter {
  const unsaid = new WeakMap<Stream, ReadonlySet<ServerEventRoom>>()
  const told = new WeakMap<Stream, string>()

  const sayPosition = (stream: Stream, otherwise: string) => {
    const here = position()
    // What waits to be said has happened before it, and will say it.
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

/** A page that does not read what it is sent is cut off: when it connects again, it says what it heard last. */
function write({ response }: Stream, text: string): void {
  if (response.writableEnded) return
  if (response.writableLength > cloggedBytes) response.destroy()
  else response.write(text)
}

/** Pages connect again after this time, so that a server that restarts is not asked by all at once. */
const retryMs = 3_000
/** Beyond what the system keeps for a reader: some hundred and fifty events that nobody read. */
const cloggedBytes = 16 * 1024
