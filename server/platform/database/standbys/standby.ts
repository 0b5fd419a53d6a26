import { describeError } from '../../../shared/describe-error.ts'
import { formatDatabaseAddress } from '../connections/database-hosts.ts'
import { type ConnectionOptions, type Database, type Db, openDatabase } from '../open-database.ts'
import { type Lsn, type LsnOnTimeline, readReplayLsn } from './lsn.ts'

/** The primary's LSN, and when it was asked for (`performance.now()`). */
export type Written = LsnOnTimeline & { at: number }

export type Standby = {
  db: Db
  name: string
  /** Seconds since the last moment of which every commit is known to be visible there. */
  lagSeconds(): number
  /** Returns whether it is at most a second behind, and has replayed `lsn`. */
  isUsable(lsn: Lsn | null): boolean
  /** Compares its LSN with those of the primary, the newest first. */
  check(written: readonly Written[]): Promise<void>
  close(): Promise<void>
}

/** A standby that is further behind is not read (R-everywhere-76). */
const maxLagMs = 1_000
/** Longer lags are not told apart. */
export const maxKnownLagMs = 60_000
/** For checks; a standby that does not answer by then is too far behind anyway. */
const queryTimeoutMs = 1_000
/** A standby that cannot be checked is asked less often. */
const retryMs = 1_000

type State = { completeAt: number; replayed: Lsn }
const unknown: State = { completeAt: Number.NEGATIVE_INFINITY, replayed: '' }

/** Opens the connections of one standby. `onChange` gets the reason when it is no longer used, or null. */
export function openStandby(
  options: ConnectionOptions & { connectionString: string },
  onChange: (name: string, reason: string | null) => void,
): Standby {
  const name = formatDatabaseAddress(options.connectionString).replace(/\/.*$/, '')
  const reads = openDatabase({ ...options, isStandby: true })
  // A connection of its own, so that checks never wait for reads.
  const checks = openDatabase({
    ...options,
    max: 1,
    isStandby: true,
    connectionTimeoutMillis: queryTimeoutMs,
    query_timeout: queryTimeoutMs,
  })
  let state = unknown
  let isChecking = false
  let nextCheckAt = 0
  let reported: boolean | null = null
  let reason = ''
  const forget = () => {
    state = unknown
  }
  // A standby that restarts after a crash may begin at an earlier LSN.
  for (const { pool } of [reads, checks]) pool.on('error', forget)

  const lagMs = () => performance.now() - state.completeAt
  const isCurrent = () => lagMs() <= maxLagMs

  async function readState(written: readonly Written[], { pool }: Database): Promise<State> {
    const { lsn, timeline } = await readReplayLsn(pool)
    if (timeline !== written[0]?.timeline) throw new Error('it is not known to follow this primary')
    // An idle primary does not move: its last commit may be old, and nothing is missing.
    const complete = written.find((one) => one.lsn <= lsn)
    return { completeAt: complete?.at ?? Number.NEGATIVE_INFINITY, replayed: lsn }
  }

  return {
    db: reads.db,
    name,
    lagSeconds: () => Math.min(lagMs(), maxKnownLagMs) / 1000,
    isUsable: (lsn) => isCurrent() && (lsn === null || lsn <= state.replayed),
    async check(written) {
      if (isChecking || performance.now() < nextCheckAt) return
      isChecking = true
      reason = 'it is more than a second behind'
      try {
        state = await readState(written, checks)
      } catch (error) {
        forget()
        reason = describeError(error)
        nextCheckAt = performance.now() + retryMs
      }
      isChecking = false
      if (reported === isCurrent()) return
      reported = isCurrent()
      onChange(name, reported ? null : reason)
    },
    close: async () => void (await Promise.all([reads.close(), checks.close()])),
  }
}
