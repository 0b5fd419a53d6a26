import type { ChangeSignal } from './signal.ts'

export type RecentSignals = {
  add(signal: ChangeSignal, bytes: number): void
  /** The id of the last signal: data read from now on includes every change up to it. */
  position(): string | undefined
  /** The id of the last signal that is at least this old: a standby's data includes its change. */
  positionBefore(ageMs: number): string | undefined
  /**
   * Returns the signals after this one; null when it was never received here or was received too
   * long ago.
   */
  since(position: string): ChangeSignal[] | null
  /** Invalidates all earlier positions, because signals may have been missed. */
  clear(): void
}

/**
 * Stores the last signals of this process, so that a page can catch up (R-notifications-19).
 * PostgreSQL sends all signals to every listener in commit order. An id is therefore the same
 * position in every process of a database (decision 46).
 */
export function createRecentSignals(max = { signals: 5_000, bytes: 2 * 1024 * 1024 }): RecentSignals {
  let signals: { signal: ChangeSignal; bytes: number; at: number }[] = []
  /** By signal id: the number of signals received up to and including that one. */
  const counts = new Map<string, number>()
  let dropped = 0
  let storedBytes = 0
  let last: string | undefined

  const drop = ({ signal: { id }, bytes }: (typeof signals)[number]) => {
    counts.delete(id)
    dropped++
    storedBytes -= bytes
  }
  return {
    add(signal, bytes) {
      signals.push({ signal, bytes, at: performance.now() })
      storedBytes += bytes
      last = signal.id
      counts.set(last, dropped + signals.length)
      while (signals.length > max.signals || storedBytes > max.bytes) {
        const oldest = signals.shift()
        if (oldest) drop(oldest)
      }
    },
    position: () => last,
    positionBefore(ageMs) {
      const latest = performance.now() - ageMs
      return signals.findLast(({ at }) => at <= latest)?.signal.id
    },
    since(position) {
      const count = counts.get(position)
      return count === undefined ? null : signals.slice(count - dropped).map(({ signal }) => signal)
    },
    clear() {
      signals.forEach(drop)
      signals = []
      last = undefined
    },
  }
}
