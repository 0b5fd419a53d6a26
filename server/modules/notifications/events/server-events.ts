import { maxStandbyAgeMs, presenceTtlMs, serverEventModules } from '@keyturn/contract/notifications/rules.ts'
import type { Deps } from '../../../deps.ts'
import { findValidSessions, sendSignals } from '../repository.ts'
import { createEventWriter } from './event-writer.ts'
import { createOpenPages, type EventStream } from './open-pages.ts'
import { createPresenceTracker } from './presence-tracker.ts'
import { createRecentSignals } from './recent-signals.ts'
import { addSignalId, decodeSignal, encodeChangeSignal } from './signal.ts'
import { createSignalListener } from './signal-listener.ts'

export type ServerEvents = {
  /** Resolves once this process listens for changes, or waits for the database to do so. */
  ready(): Promise<void>
  /**
   * The current position, read before a page's first query so that its stream can begin there
   * (R-notifications-19). Undefined until this process listens; calling it starts the listener. If
   * standbys answer reads, it is two seconds old, since their data may be one second old.
   */
  position(): string | undefined
  /**
   * Sends changes to this page until it closes, its session ends, or newer pages of the same person
   * replace it. `after` is the page's last position; with null it gets changes from now on.
   */
  join(stream: EventStream, after?: string | null): void
  isLooking(deal: string, person: string): boolean
  count(): number
  close(): Promise<void>
}

/** Forwards the signals of all processes to the open pages of this process. */
export function createServerEvents(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  { heartbeatMs = 25_000, hasStandbys = false } = {},
): ServerEvents {
  const pages = createOpenPages()
  const recent = createRecentSignals()
  const writer = createEventWriter(recent.position)
  const sendPresence = (people: readonly string[]) => {
    for (const person of people) pages.ofUser(person).forEach(writer.sendPresence)
  }
  const presence = createPresenceTracker(sendPresence, presenceTtlMs)
  let heartbeat: NodeJS.Timeout | undefined

  const handleSignal = (payload: string | undefined) => {
    const signal = decodeSignal(payload)
    if (!signal) return
    if ('endedSession' in signal) {
      for (const stream of pages.ofSession(signal.endedSession)) end(stream)
      presence.endSession(signal.endedSession)
      return
    }
    if ('look' in signal) return presence.record(signal.look)
    if ('hides' in signal) return presence.removePerson(signal.hides)
    if ('missed' in signal) return void handleListening()
    recent.add(signal, payload?.length ?? 0)
    writer.sendChange(pages.reachedBy(signal), signal.rooms)
  }
  // Signals were missed while disconnected: ended sessions are closed first, then every page
  // reloads.
  const handleListening = async () => {
    recent.clear()
    const open = pages.all()
    if (open.length > 0 && (await checkSessions(open))) writer.sendChange(open, serverEventModules)
    await listener.ask((db) => sendSignals(db, { signals: [addSignalId(encodeChangeSignal(emptyChange))] }))
  }
  const listener = createSignalListener(
    pool,
    { signal: handleSignal, started: () => void handleListening() },
    log,
  )

  const removeStream = (stream: EventStream) => {
    if (!pages.remove(stream) || pages.size > 0) return
    clearInterval(heartbeat)
    heartbeat = undefined
  }
  const end = (stream: EventStream, lastText = '') => {
    removeStream(stream)
    stream.response.end(lastText)
    // A page that does not read would keep its socket open and block the server's shutdown.
    setTimeout(() => stream.response.destroy(), 1_000).unref()
  }

  /**
   * Closes the streams of ended sessions and updates the rights of approved wholesalers. Returns
   * false when the database cannot be asked.
   */
  const checkSessions = async (open: readonly EventStream[]): Promise<boolean> => {
    const ids = [...new Set(open.map((stream) => stream.sessionId))]
    const rows = await listener.ask((db) => findValidSessions(db, { ids }))
    if (!rows) return false
    const active = new Map(rows.map((session) => [session.id, session]))
    for (const stream of open) {
      const session = active.get(stream.sessionId)
      if (session) pages.setWholesaler(stream, session.wholesaler)
      else end(stream)
    }
    return true
  }
  /**
   * Per heartbeat, the sessions of only a few streams are checked, to spread the load. A database
   * failure closes no stream.
   */
  const beats = Math.max(1, Math.floor(heartbeatMs / 1_000))
  const sendHeartbeats = async () => {
    const due = pages.next(Math.ceil(pages.size / beats))
    await checkSessions(due)
    due.forEach(writer.sendHeartbeat)
  }

  /** A session may end before its stream is registered, so new streams are checked, in batches. */
  const joined = new Set<EventStream>()
  const checkJoined = async () => {
    while (joined.size > 0) {
      const open = [...joined]
      await checkSessions(open)
      for (const stream of open) joined.delete(stream)
    }
  }

  /** Awaits nothing between missed and new signals, so that none is lost in between. */
  const catchUp = (stream: EventStream, after: string | null) => {
    if (after === null) return
    const missed = recent.since(after)
    if (!missed) return writer.sendChange([stream], serverEventModules)
    for (const signal of missed)
      if (pages.isReached(stream, signal)) writer.sendChange([stream], signal.rooms)
  }

  return {
    ready: listener.start,
    position() {
      void listener.start()
      return hasStandbys ? recent.positionBefore(maxStandbyAgeMs) : recent.position()
    },
    join(stream, after = null) {
      const { response } = stream
      const ofUser = pages.add(stream)
      const [oldest] = ofUser
      if (oldest && ofUser.size > streamsPerUser) end(oldest, `retry: ${replacedRetryMs}\n\n`)
      heartbeat ??= setInterval(() => void sendHeartbeats(), heartbeatMs / beats).unref()
      response.once('close', () => removeStream(stream))
      // A page may close while it is being written to.
      response.on('error', () => removeStream(stream))
      catchUp(stream, after)
      writer.sendFirst(stream)
      joined.add(stream)
      if (joined.size === 1) void checkJoined()
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

/** Gives a process a position as soon as it listens, before anything changes. */
const emptyChange = { users: [], wholesalers: false, rooms: [] }

/** More browsers than one person uses. The ninth replaces the oldest, which retries after 60 s. */
const streamsPerUser = 8
const replacedRetryMs = 60_000
