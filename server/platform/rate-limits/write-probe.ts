import pg from 'pg'
import { atMost } from '../../shared/at-most.ts'

/**
 * Detects a database that answers but cannot commit: read-only, full, or without its synchronous
 * standby.
 */
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

/**
 * Commits one row every 10 s. Requires two failures in a row, because a failover may cut one
 * connection.
 */
export function startWriteProbe(
  pool: pg.Pool,
  onChange: (state: 'ok' | 'failing', fault?: unknown) => void,
  pauseMs = everyMs,
): WriteProbe {
  let failures = 0
  let isAsking = false

  async function probe(): Promise<void> {
    if (isAsking) return
    isAsking = true
    const fault = await atMost(
      commitMs,
      pool.query(write).then(() => null, whyRefused),
    )
    isAsking = false
    if (fault === unanswered) return
    const was = failures
    failures = fault === null ? 0 : failures + 1
    if (was >= enough && failures === 0) onChange('ok')
    if (failures === enough) onChange('failing', fault)
  }

  const timer = setInterval(() => void probe(), pauseMs)
  timer.unref()
  return { state: () => (failures >= enough ? 'failing' : 'ok'), stop: () => clearInterval(timer) }
}

const enough = 2

/** Connection errors do not count here: /health/ready reports an unreachable database. */
const unanswered = Symbol('unanswered')

const whyRefused = (error: unknown) =>
  error instanceof pg.DatabaseError && !/^(?:08|57P)/.test(error.code ?? '') ? error : unanswered
