import { presenceTtlMs, serverEventRooms } from '@keyturn/contract/notifications/rules.ts'
import type { Deps } from '../../deps.ts'
import { eventWriter } from './event-writer.ts'
import { openListener } from './listener.ts'
import { openPages, type Stream } from './open-pages.ts'
import { trackPresence } from './presence.ts'
import { keepRecentSignals } from './recent-signals.ts'
import { findValidSessions, sendSignals } from './repository.ts'
import { decodeSignal, encodeChange, named } from './signal.ts'

export type ServerEvents = {
  /** Resolves once this process hears what changes, or waits for the database to do so. */
  ready(): Promise<void>
  /**
   * Where what changes stands now: taken before a page's first read, it lets its stream begin there (R-notifications-19).
   * Undefined: this process has not listened yet, and begins to.
   */
  position(): string | undefined
  /**
   * Tells this page what changes until it goes, its session ends, or newer pages of the same person take its place.
   * `after` is the position that it states: null states none, and hears from now on.
   */
  join(stream: Stream, after?: string | null): void
  isLooking(deal: string, person: string): boolean
  count(): number
  close(): Promise<void>
}

/** The open pages of this process, fed by what all processes say on PostgreSQL's channel. */
export function openServerEvents(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  heartbeatMs = 25_000,
): ServerEvents {
  const pages = openPages()
  const recent = keepRecentSignals()
  const writer = eventWriter(recent.position)
  const tellOfLooks = (people: readonly string[]) => {
    for (const person of people) pages.ofUser(person).forEach(writer.tellOfLooks)
  }
  const presence = trackPresence(tellOfLooks, presenceTtlMs)
  let heartbeat: NodeJS.Timeout | undefined

  const forward = (payload: string | undefined) => {
    const signal = decodeSignal(payload)
    if (!signal) return
    if ('endedSession' in signal) {
      for (const stream of pages.ofSession(signal.endedSession)) end(stream)
      presence.endSession(signal.endedSession)
      return
    }
    if ('look' in signal) return presence.hear(signal.look)
    if ('hides' in signal) return presence.forget(signal.hides)
    if ('missed' in signal) return void started()
    recent.hear(signal, payload?.length ?? 0)
    writer.tell(pages.reachedBy(signal), signal.rooms)
  }
  // Signals were missed while nobody listened: ended sessions are looked for first, then every page asks again.
  const started = async () => {
    recent.forget()
    const open = pages.all()
    if (open.length > 0 && (await look(open))) writer.tell(open, serverEventRooms)
    await listener.ask((db) => sendSignals(db, { signals: [named(encodeChange(toNobody))] }))
  }
  const listener = openListener(pool, { signal: forward, started: () => void started() }, log)

  const leave = (stream: Stream) => {
    if (!pages.remove(stream) || pages.size > 0) return
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
      if (session) pages.setWholesaler(stream, session.wholesaler)
      else end(stream)
    }
    return true
  }
  /** A few at a time, so that thousands do not hold up everything else. Where nobody could say, the streams stay. */
  const beats = Math.max(1, Math.floor(heartbeatMs / 1_000))
  const beat = async () => {
    const due = pages.next(Math.ceil(pages.size / beats))
    await look(due)
    due.forEach(writer.beat)
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

  /** Between what was missed and what comes next nothing is awaited, so nothing falls between them. */
  const catchUp = (stream: Stream, after: string | null) => {
    if (after === null) return
    const missed = recent.since(after)
    if (!missed) return writer.tell([stream], serverEventRooms)
    for (const signal of missed) if (pages.isReached(stream, signal)) writer.tell([stream], signal.rooms)
  }

  return {
    ready: listener.start,
    position() {
      void listener.start()
      return recent.position()
    },
    join(stream, after = null) {
      const { response } = stream
      const ofUser = pages.add(stream)
      const [oldest] = ofUser
      if (oldest && ofUser.size > streamsPerUser) end(oldest, `retry: ${restMs}\n\n`)
      heartbeat ??= setInterval(() => void beat(), heartbeatMs / beats).unref()
      response.once('close', () => leave(stream))
      // A page may go while it is being written to.
      response.on('error', () => leave(stream))
      catchUp(stream, after)
      writer.greet(stream)
      joined.add(stream)
      if (joined.size === 1) void lookAtJoined()
    },
    isLooking: presence.isLooking,
    count: () => pages.size,
    async close() {
      presence.close()
      for (const stream of pages.all()) end(stream)
      await listener.stop()
    },
  }
}

/** Gives a process that has just begun to listen a position, before anything changes. */
const toNobody = { users: [], wholesalers: false, rooms: [] }

/** More open browsers at a time than a person looks at; the ninth takes the place of the oldest, which rests a minute. */
const streamsPerUser = 8
const restMs = 60_000
