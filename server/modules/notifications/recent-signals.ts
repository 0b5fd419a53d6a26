import type { ChangeSignal } from './signal.ts'

export type RecentSignals = {
  hear(signal: ChangeSignal, bytes: number): void
  /** The name of the last signal: who reads from now on sees whatever was said up to there. */
  position(): string | undefined
  /** What was heard after the signal of this name; null where that was not heard here, or too long ago. */
  since(position: string): ChangeSignal[] | null
  /** Some may have been missed: no position from before counts any more. */
  forget(): void
}

/**
 * The last signals that this process has heard, by which a page catches up (R-notifications-19). PostgreSQL hands every
 * listener all signals in one order, that of the commits, and each has a name of its own: so a name is the same place to
 * every process of a database (decision 46).
 */
export function keepRecentSignals(most = { signals: 5_000, bytes: 2 * 1024 * 1024 }): RecentSignals {
  let heard: { signal: ChangeSignal; bytes: number }[] = []
  /** How many were heard up to the one of this name, itself counted. */
  const counts = new Map<string, number>()
  let dropped = 0
  let kept = 0
  let last: string | undefined

  const drop = ({ signal: { id }, bytes }: (typeof heard)[number]) => {
    counts.delete(id)
    dropped++
    kept -= bytes
  }
  return {
    hear(signal, bytes) {
      heard.push({ signal, bytes })
      kept += bytes
      last = signal.id
      counts.set(last, dropped + heard.length)
      while (heard.length > most.signals || kept > most.bytes) {
        const oldest = heard.shift()
        if (oldest) drop(oldest)
      }
    },
    position: () => last,
    since(position) {
      const count = counts.get(position)
      return count === undefined ? null : heard.slice(count - dropped).map(({ signal }) => signal)
    },
    forget() {
      heard.forEach(drop)
      heard = []
      last = undefined
    },
  }
}
