import type { ViewingSignal } from './signal.ts'

export type PresenceTracker = {
  record(look: ViewingSignal): void
  isLooking(deal: string, person: string): boolean
  endSession(sessionId: string): void
  removePerson(person: string): void
  close(): void
}

/**
 * Tracks who has which deal open. The state is in memory only, fed by the signals of all processes,
 * and expires unless it is repeated (R-deals-82). `changed` gets the users whose pages have to
 * reload when somebody opens or closes a deal.
 */
export function createPresenceTracker(
  changed: (people: readonly string[]) => void,
  ttlMs: number,
): PresenceTracker {
  /** The other party, and the time each tab was last reported, by deal and person. */
  const viewers = new Map<string, Viewer>()
  let tabs = 0
  let sweeping: NodeJS.Timeout | undefined

  const dropTabs = (isOver: (tab: Tab, viewer: Viewer) => boolean) => {
    for (const [key, viewer] of viewers) {
      for (const [name, tab] of viewer.tabs) {
        if (isOver(tab, viewer) && viewer.tabs.delete(name)) tabs--
      }
      if (viewer.tabs.size > 0) continue
      viewers.delete(key)
      changed([viewer.to])
    }
    if (viewers.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }
  const sweep = () => {
    const now = performance.now()
    dropTabs(({ reportedAt }) => now - reportedAt > ttlMs)
  }

  return {
    record({ deal, by, to, tab, session, isLooking }) {
      const key = keyOf(deal, by)
      if (!isLooking) {
        const closed = viewers.get(key)?.tabs.get(tab)
        return closed && dropTabs((one) => one === closed)
      }
      const existing = viewers.get(key)
      const viewer = existing ?? { by, to, tabs: new Map() }
      if (!viewer.tabs.has(tab)) {
        if (tabs >= maxTabs) return
        tabs++
      }
      viewer.tabs.set(tab, { session, reportedAt: performance.now() })
      sweeping ??= setInterval(sweep, sweepEveryMs).unref()
      if (existing) return
      viewers.set(key, viewer)
      changed([to])
    },
    isLooking: (deal, person) => viewers.has(keyOf(deal, person)),
    endSession: (sessionId) => dropTabs(({ session }) => session === sessionId),
    removePerson(person) {
      dropTabs((_, { by }) => by === person)
      changed([person])
    },
    close: () => clearInterval(sweeping),
  }
}

type Tab = { session: string; reportedAt: number }
type Viewer = { by: string; to: string; tabs: Map<string, Tab> }

const keyOf = (deal: string, person: string) => `${deal} ${person}`
const sweepEveryMs = 1_000
/** More than the number of pages that one process has open. */
const maxTabs = 20_000
