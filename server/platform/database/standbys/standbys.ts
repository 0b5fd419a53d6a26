import type { Logger } from 'pino'
import { splitDatabaseAddress } from '../connections/database-hosts.ts'
import { type ConnectionOptions, openDatabase } from '../open-database.ts'
import { type LogPosition, readWrittenPosition } from './log-position.ts'
import { maxKnownLagMs, openStandby, type Standby, type Written } from './standby.ts'

export type Standbys = {
  /** Returns the next standby that has replayed `position`, or null if the primary must answer. */
  choose(position: LogPosition | null): Standby | null
  /** Returns a position that no acknowledged commit is after. */
  writtenPosition(): Promise<LogPosition>
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

const everyMs = 200
const answerMs = 1_000

/**
 * Opens the standbys of an address and compares them with the primary five times a second
 * (decision 90). A standby is complete up to the moment at which the primary was at a position that
 * the standby has replayed. No clock of another machine counts.
 */
export function openStandbys({ address, primary, identity, max, log }: StandbyOptions): Standbys {
  const served = { identity }
  const onChange = (standby: string, reason: string | null) =>
    reason === null
      ? log.info({ standby }, 'the standby answers reads')
      : log.warn({ standby, because: reason }, 'the standby does not answer reads')
  const standbys = splitDatabaseAddress(address).map((connectionString) =>
    openStandby({ connectionString, served, max }, onChange),
  )
  // A connection of its own, so that a busy pool does not make standbys look late.
  const { pool, close } = openDatabase({ ...primary, served, max: 1, query_timeout: answerMs })
  /** The newest first, all on one timeline. */
  let written: Written[] = []
  let isAsking = false
  let turn = 0

  async function ask(): Promise<void> {
    const at = performance.now()
    const now = await readWrittenPosition(pool)
    const others = written.filter((one) => one.timeline === now.timeline && at - one.at < maxKnownLagMs)
    written = [{ at, ...now }, ...others]
  }

  async function check(): Promise<void> {
    if (isAsking) return
    isAsking = true
    // Without a new position the standbys are late after a second.
    await ask().catch(() => {})
    isAsking = false
    if (written.length > 0) for (const standby of standbys) void standby.check(written)
  }

  let asked: Promise<unknown> = Promise.resolve()
  let next: Promise<LogPosition> | null = null
  /** Changes that end while the primary is being asked share the next question. */
  function writtenPosition(): Promise<LogPosition> {
    next ??= asked.then(async () => {
      const question = readWrittenPosition(pool)
      next = null
      asked = question.catch(() => {})
      return (await question).position
    })
    return next
  }

  const timer = setInterval(() => void check(), everyMs)
  timer.unref()
  void check()
  return {
    choose(position) {
      turn++
      for (let i = 0; i < standbys.length; i++) {
        const standby = standbys[(turn + i) % standbys.length]
        if (standby?.isUsable(position)) return standby
      }
      return null
    },
    writtenPosition,
    all: standbys,
    async close() {
      clearInterval(timer)
      await Promise.all([close(), ...standbys.map((standby) => standby.close())])
    },
  }
}
