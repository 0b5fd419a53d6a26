import type pg from 'pg'
import { readOnlyCode } from './primary-clients.ts'

// Work that had no effect because its connection failed is retried on another (R-everywhere-51).

/** The server or the network ended the connection, or the server is read-only. */
const lostCodes = /^(08...|57P0[1235]|25006|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/
const lostMessages = /^connection terminated|client has encountered a connection error|client was closed/i
/** The connection failed before anything was sent. */
const refusedCodes = /^(57P03|ECONNREFUSED|ENOENT)$/

export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return lostCodes.test(codeOf(error)) || lostMessages.test(error.message) || isConnectionLost(error.cause)
}

/** Checks whether nothing can have changed: no server was reached, or it was read-only. */
export const hadNoEffect = (error: unknown): boolean =>
  error instanceof Error &&
  (codeOf(error) === readOnlyCode || refusedCodes.test(codeOf(error)) || hadNoEffect(error.cause))

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

/** Makes the pool retry a statement once if it only reads or cannot have had an effect. */
export function retryStatements(pool: pg.Pool): void {
  const once = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>
  const query = (...given: unknown[]) => {
    if (typeof given.at(-1) === 'function') return once(...given)
    return once(...given).catch((error: unknown) => {
      if (!hadNoEffect(error) && !(isConnectionLost(error) && onlyReads(given[0]))) throw error
      return once(...given)
    })
  }
  pool.query = query as pg.Pool['query']
}

/** A `select` may also call `pg_notify` or `nextval`; repeating those is harmless. */
function onlyReads(question: unknown): boolean {
  const text = typeof question === 'string' ? question : (question as pg.QueryConfig).text
  return /^\s*select\b/i.test(text) && !text.includes(';')
}
