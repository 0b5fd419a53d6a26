import pg from 'pg'

/** How this pool connects. */
export const connectionOf = ({ options }: pg.Pool): pg.ClientConfig => ({
  ...options,
  // The pool hides it from copying.
  password: options.password,
})

/** For what may wait for others as long as it takes: a connection of its own, without the pool's time limits. */
export async function patiently<T>(pool: pg.Pool, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionOf(pool), ...unlimited })
  // One that breaks fails the next query, and only that.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

const unlimited = { statement_timeout: 0, query_timeout: 0, idle_in_transaction_session_timeout: 0 }
