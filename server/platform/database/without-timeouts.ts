import type pg from 'pg'
import { openSessionClient } from './connections/primary-clients.ts'

/** Runs `work` on a dedicated connection without timeouts, for work that waits for locks. */
export async function withoutTimeouts<T>(pool: pg.Pool, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = openSessionClient(pool, { query_timeout: 0 })
  // Without a listener, a broken connection would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    // Overrides the limits of the pool and of the database user.
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    await client.end()
  }
}
