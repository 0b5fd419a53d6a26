import type { ServerResponse } from 'node:http'
import { type ServerEventRoom, serverEventRooms } from '@keyturn/contract/notifications/rules.ts'
import type { Deps } from '../deps.ts'
import { openListener } from './listener.ts'
import { decodeSignal } from './signal.ts'
import { findValidSessions } from './store.ts'

/** One open page that wants to know what changes. */
type Stream = { userId: string; sessionId: string; wholesaler: boolean; response: ServerResponse }

export type ServerEvents = {
  /** Resolves once this process hears what changes, or waits for the database to do so. */
  ready(): Promise<void>
  /** Tells this page what changes until it goes, its session ends, or newer pages of the same person take its place. */
  join(stream: Stream): void
  close(): Promise<void>
}

/** The open pages of this process, fed by what all processes say on PostgreSQL's channel. */
export function openServerEvents(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  heartbeatMs = 25_000,
): ServerEvents {
  // By user, oldest first.
  const streams = new Map<string, Set<Stream>>()
  let heartbeat: NodeJS.Timeout | undefined
  const everybody = () => [...streams.values()].flatMap((ofUser) => [...ofUser])

  const forward = (payload: string | undefined) => {
    const signal = decodeSignal(payload)
    if (!signal) return
    if ('endedSession' in signal) {
      for (const stream of everybody()) if (stream.sessionId === signal.endedSession) end(stream)
      return
    }
    const reached = new Set(signal.users.flatMap((user) => [...(streams.get(user) ?? [])]))
    if (signal.wholesalers) for (const stream of everybody()) if (stream.wholesaler) reached.add(stream)
    tell(reached, signal.rooms)
  }
  // Signals were missed while nobody listened: ended sessions are looked for first, then every page asks again.
  const started = async () => {
    const open = everybody()
    if (open.length > 0 && (await look(open))) tell(open, serverEventRooms)
  }
  const listener = openListener(pool, { signal: forward, started: () => void started() }, log)

  const leave = (stream: Stream) => {
    const ofUser = streams.get(stream.userId)
    if (!ofUser?.delete(stream)) return
    if (ofUser.size === 0) streams.delete(stream.userId)
    if (streams.size > 0) return
    clearInterval(heartbeat)
    heartbeat = undefined
  }
  const end = (stream: Stream, lastWord = '') => {
    leave(stream)
    stream.response.end(lastWord)
    // A page that does not read would keep its socket open, and the server from ending.
    setTimeout(() => stream.response.destroy(), 1_000).unref()
  }

  /** Signed out, expired or deleted: over. Approved meanwhile: from now on a wholesaler's. False: nobody could say. */
  const look = async (open: readonly Stream[]): Promise<boolean> => {
    const ids = [...new Set(open.map((stream) => stream.sessionId))]
    const rows = await listener.ask((db) => findValidSessions(db, { ids }))
    if (!rows) return false
    const standing = new Map(rows.map((session) => [session.id, session]))
    for (const stream of open) {
      const session = standing.get(stream.sessionId)
      if (session) stream.wholesaler = session.wholesaler
      else end(stream)
    }
    return true
  }
  /** Where nobody could say, the streams stay: they carry names of rooms only. */
  const beat = async () => {
    await look(everybody())
    for (const stream of everybody()) write(stream, ':\n\n')
  }

  /** What ended before its stream was here told nobody: those that joined meanwhile are looked at together. */
  const joined = new Set<Stream>()
  const lookAtJoined = async () => {
    while (joined.size > 0) {
      const open = [...joined]
      await look(open)
      for (const stream of open) joined.delete(stream)
    }
  }

  return {
    ready: listener.start,
    join(stream) {
      const { response } = stream
      const ofUser = streams.get(stream.userId) ?? new Set()
      streams.set(stream.userId, ofUser.add(stream))
      const [oldest] = ofUser
      if (oldest && ofUser.size > streamsPerUser) end(oldest, `retry: ${restMs}\n\n`)
      heartbeat ??= setInterval(() => void beat(), heartbeatMs).unref()
      response.once('close', () => leave(stream))
      // A page may go while it is being written to.
      response.on('error', () => leave(stream))
      write(stream, `retry: ${retryMs}\n\n`)
      joined.add(stream)
      if (joined.size === 1) void lookAtJoined()
    },
    async close() {
      for (const stream of everybody()) end(stream)
      await listener.stop()
    },
  }
}

/** What one commit says in several signals arrives as one event. */
function tell(streams: Iterable<Stream>, rooms: readonly ServerEventRoom[]): void {
  for (const stream of streams) {
    const waiting = unsaid.get(stream)
    if (!waiting) setImmediate(say, stream)
    unsaid.set(stream, new Set([...(waiting ?? []), ...rooms]))
  }
}

function say(stream: Stream): void {
  const rooms = [...(unsaid.get(stream) ?? [])]
  unsaid.delete(stream)
  write(stream, `event: changed\ndata: ${JSON.stringify({ rooms })}\n\n`)
}

const unsaid = new WeakMap<Stream, ReadonlySet<ServerEventRoom>>()

/** A page that does not read what it is sent is closed: when it connects again, it asks for everything. */
function write({ response }: Stream, text: string): void {
  if (response.writableEnded) return
  if (response.writableLength > cloggedBytes) response.destroy()
  else response.write(text)
}

/** Pages connect again after this time, so that a server that restarts is not asked by all at once. */
const retryMs = 3_000
/** More open pages at a time than a person looks at; the ninth takes the place of the oldest, which rests a minute. */
const streamsPerUser = 8
const restMs = 60_000
/** Some two thousand events that nobody read. */
const cloggedBytes = 64 * 1024
