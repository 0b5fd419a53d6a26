import type pg from 'pg'
import { openSessionClient } from './connections/primary-clients.ts'

/** For what may wait for others as long as it takes: a connection of its own, without time limits. */
export async function withoutTimeouts<T>(pool: pg.Pool, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = openSessionClient(pool, { query_timeout: 0 })
  // One that breaks fails the next query, and only that.
  client.on('error', () => {})
  try {
    await client.connect()
    // Whatever the pool asked for, and whatever the database has for this user.
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    await client.end()
  }
}
