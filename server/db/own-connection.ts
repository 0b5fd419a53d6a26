import pg from 'pg'

/**
 * A connection besides the pool's, not yet opened, with the pool's settings. Without an answer within these seconds a
 * query fails, and whoever asked counts the connection as lost.
 */
export function ownConnection({ options }: pg.Pool, name: string): pg.Client {
  return new pg.Client({
    ...options,
    // The pool hides it from copying.
    password: options.password,
    keepAlive: true,
    query_timeout: 5_000,
    application_name: name,
  })
}
