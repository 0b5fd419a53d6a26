import type pg from 'pg'

/** Checks for node-postgres's query timeout. Later queries on that connection queue behind it. */
export function isQueryTimeout(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.message === 'Query read timeout') return true
  return false
}

/**
 * Checks the idle connections after one is lost, because the network has usually lost them all.
 * Otherwise each of them would delay one request until its timeout.
 */
export function probeIdleConnections(pool: pg.Pool): void {
  pool.on('release', (error) => {
    if (!isQueryTimeout(error)) return
    for (let left = pool.idleCount; left > 0; left--) pool.query(probeQuery).catch(() => {})
  })
}

const probeQuery = { text: 'select 1', query_timeout: 1_000 }
