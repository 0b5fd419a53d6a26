import type { Logger } from 'pino'
import { splitDatabaseAddress } from '../connections/database-hosts.ts'
import { type ConnectionOptions, openDatabase } from '../open-database.ts'
import { type Lsn, readFlushLsn } from './lsn.ts'
import { maxKnownLagMs, openStandby, type Standby, type Written } from './standby.ts'

export type Standbys = {
  /** Returns the next standby that has replayed `lsn`, or null if the primary must answer. */
  choose(lsn: Lsn | null): Standby | null
  /** Returns an LSN that no acknowledged commit is after. */
  flushLsn(): Promise<Lsn>
  all: readonly Pick<Standby, 'name' | 'lagSeconds' | 'isUsable'>[]
  close(): Promise<void>
}

type StandbyOptions = {
  /** One address with all hosts, each of which is one server. */
  address: string
  primary: ConnectionOptions
  identity: string
  /** Connections to each standby. */
  max: number
  log: Logger
}

const pollIntervalMs = 200
const queryTimeoutMs = 1_000

/**
 * Opens the standbys of an address and compares them with the primary five times a second
 * (decision 90). A standby is complete up to the moment at which the primary was at an LSN that
 * the standby has replayed. No clock of another machine counts.
 */
export function openStandbys({ address, primary, identity, max, log }: StandbyOptions): Standbys {
  const served = { identity }
  const onChange = (standby: string, reason: string | null) =>
    reason === null
      ? log.info({ standby }, 'standby used for reads')
      : log.warn({ standby, because: reason }, 'standby excluded from reads')
  const standbys = splitDatabaseAddress(address).map((connectionString) =>
    openStandby({ connectionString, served, max }, onChange),
  )
  // A connection of its own, so that a busy pool does not make standbys look late.
  const { pool, close } = openDatabase({ ...primary, served, max: 1, query_timeout: queryTimeoutMs })
  /** The newest first, all on one timeline. */
  let written: Written[] = []
  let isPolling = false
  let nextIndex = 0

  async function ask(): Promise<void> {
    const at = performance.now()
    const now = await readFlushLsn(pool)
    const others = written.filter((one) => one.timeline === now.timeline && at - one.at < maxKnownLagMs)
    written = [{ at, ...now }, ...others]
  }

  async function check(): Promise<void> {
    if (isPolling) return
    isPolling = true
    // Without a new LSN the standbys are late after a second.
    await ask().catch(() => {})
    isPolling = false
    if (written.length > 0) for (const standby of standbys) void standby.check(written)
  }

  let asked: Promise<unknown> = Promise.resolve()
  let next: Promise<Lsn> | null = null
  /** Changes that end while the primary is being asked share the next question. */
  function flushLsn(): Promise<Lsn> {
    next ??= asked.then(async () => {
      const query = readFlushLsn(pool)
      next = null
      asked = query.catch(() => {})
      return (await query).lsn
    })
    return next
  }

  const timer = setInterval(() => void check(), pollIntervalMs)
  timer.unref()
  void check()
  return {
    choose(lsn) {
      nextIndex++
      for (let i = 0; i < standbys.length; i++) {
        const standby = standbys[(nextIndex + i) % standbys.length]
        if (standby?.isUsable(lsn)) return standby
      }
      return null
    },
    flushLsn,
    all: standbys,
    async close() {
      clearInterval(timer)
      await Promise.all([close(), ...standbys.map((standby) => standby.close())])
    },
  }
}
