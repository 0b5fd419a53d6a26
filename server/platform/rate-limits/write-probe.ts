import pg from 'pg'
import { withTimeLimit } from '../../shared/with-time-limit.ts'

/** Detects a database that cannot commit: read-only, full, or without its standby. */
export type WriteProbe = { state(): 'ok' | 'failing'; stop(): void }

const everyMs = 10_000
/** A slower commit delays users, too. */
const commitMs = 5_000

/** The cleanup of rate limits deletes this row. */
const write = {
  name: 'write-probe',
  text: `insert into throttles (bucket, count, window_ends_at, free_at)
    values ('write probe', 0, keyturn_now(), keyturn_now())
    on conflict (bucket) do update set window_ends_at = excluded.window_ends_at`,
}

/** Commits a row every 10 s. One failure is ignored, because a failover may cut a connection. */
export function startWriteProbe(
  pool: pg.Pool,
  onChange: (state: 'ok' | 'failing', fault?: unknown) => void,
  pauseMs = everyMs,
): WriteProbe {
  let failures = 0
  let isProbing = false

  async function probe(): Promise<void> {
    if (isProbing) return
    isProbing = true
    const fault = await withTimeLimit(
      commitMs,
      pool.query(write).then(() => null, databaseErrorOf),
    )
    isProbing = false
    if (fault === connectionFailed) return
    const before = failures
    failures = fault === null ? 0 : failures + 1
    if (before >= failuresToReport && failures === 0) onChange('ok')
    if (failures === failuresToReport) onChange('failing', fault)
  }

  const timer = setInterval(() => void probe(), pauseMs)
  timer.unref()
  return { state: () => (failures >= failuresToReport ? 'failing' : 'ok'), stop: () => clearInterval(timer) }
}

const failuresToReport = 2

/** Connection errors do not count here: /health/ready reports an unreachable database. */
const connectionFailed = Symbol('unanswered')

const databaseErrorOf = (error: unknown) =>
  error instanceof pg.DatabaseError && !/^(?:08|57P)/.test(error.code ?? '') ? error : connectionFailed
