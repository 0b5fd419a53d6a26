import type { ChangeSignal } from './signal.ts'

export type RecentSignals = {
  hear(signal: ChangeSignal, bytes: number): void
  /** The id of the last signal: data read from now on includes every change up to it. */
  position(): string | undefined
  /** Returns the signals after this one; null when it was not received here, or too long ago. */
  since(position: string): ChangeSignal[] | null
  /** Invalidates all earlier positions, because signals may have been missed. */
  forget(): void
}

/**
 * Stores the last signals of this process, so that a page can catch up (R-notifications-19).
 * PostgreSQL sends all signals to every listener in commit order. An id is therefore the same
 * position in every process of a database (decision 46).
 */
export function createRecentSignals(most = { signals: 5_000, bytes: 2 * 1024 * 1024 }): RecentSignals {
  let heard: { signal: ChangeSignal; bytes: number }[] = []
  /** By id: the number of signals received up to and including this one. */
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
