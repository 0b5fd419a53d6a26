import type pg from 'pg'

/** node-postgres has given up waiting. The query stays open on its connection, and all later ones queue behind it. */
export function isUnanswered(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.message === 'Query read timeout') return true
  return false
}

/**
 * A network that loses one connection has mostly lost them all: idle ones are checked too, or each of them
 * would keep a request waiting for the whole time limit.
 */
export function probeIdleConnections(pool: pg.Pool): void {
  pool.on('release', (error) => {
    if (!isUnanswered(error)) return
    for (let left = pool.idleCount; left > 0; left--) pool.query(briefQuestion).catch(() => {})
  })
}

const briefQuestion = { text: 'select 1', query_timeout: 1_000 }
