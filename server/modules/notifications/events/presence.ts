import type { Look } from './signal.ts'

export type Presence = {
  hear(look: Look): void
  isLooking(deal: string, person: string): boolean
  endSession(sessionId: string): void
  forget(person: string): void
  close(): void
}

/**
 * Tracks who has which deal open. The state is in memory only, fed by the signals of all processes,
 * and expires unless it is repeated (R-deals-82). `changed` gets the users whose pages have to
 * reload when somebody opens or closes a deal.
 */
export function trackPresence(changed: (people: readonly string[]) => void, lastsMs: number): Presence {
  /** By deal and person: the other party, and the time each tab was last reported. */
  const looks = new Map<string, Looking>()
  let tabs = 0
  let sweeping: NodeJS.Timeout | undefined

  const dropTabs = (isOver: (tab: Tab, looking: Looking) => boolean) => {
    for (const [key, looking] of looks) {
      for (const [name, tab] of looking.tabs) {
        if (isOver(tab, looking) && looking.tabs.delete(name)) tabs--
      }
      if (looking.tabs.size > 0) continue
      looks.delete(key)
      changed([looking.to])
    }
    if (looks.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }
  const sweep = () => {
    const now = performance.now()
    dropTabs(({ heardAt }) => now - heardAt > lastsMs)
  }

  return {
    hear({ deal, by, to, tab, session, isLooking }) {
      const key = keyOf(deal, by)
      if (!isLooking) {
        const gone = looks.get(key)?.tabs.get(tab)
        return gone && dropTabs((one) => one === gone)
      }
      const known = looks.get(key)
      const looking = known ?? { by, to, tabs: new Map() }
      if (!looking.tabs.has(tab)) {
        if (tabs >= mostTabs) return
        tabs++
      }
      looking.tabs.set(tab, { session, heardAt: performance.now() })
      sweeping ??= setInterval(sweep, sweepEveryMs).unref()
      if (known) return
      looks.set(key, looking)
      changed([to])
    },
    isLooking: (deal, person) => looks.has(keyOf(deal, person)),
    endSession: (sessionId) => dropTabs(({ session }) => session === sessionId),
    forget(person) {
      dropTabs((_, { by }) => by === person)
      changed([person])
    },
    close: () => clearInterval(sweeping),
  }
}

type Tab = { session: string; heardAt: number }
type Looking = { by: string; to: string; tabs: Map<string, Tab> }

const keyOf = (deal: string, person: string) => `${deal} ${person}`
const sweepEveryMs = 1_000
/** Exceeds the number of pages that one process has open. */
const mostTabs = 20_000
