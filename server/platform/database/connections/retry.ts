import type pg from 'pg'
import { readOnlyCode } from './primary-clients.ts'

// What failed for the connection's sake, and had no effect, is done once more on another one; people learn nothing of it (R-everywhere-51).

/** The server ends this connection, or all of them; the network has cut it; what it leads to takes no writes. */
const lostCodes = /^(08...|57P0[1235]|25006|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/
const lostMessages = /^connection terminated|client has encountered a connection error|client was closed/i
/** Nothing was sent yet. */
const refusedCodes = /^(57P03|ECONNREFUSED|ENOENT)$/

export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return lostCodes.test(codeOf(error)) || lostMessages.test(error.message) || isLost(error.cause)
}

/** Nobody was there to take it, or whoever was took no writes: nothing has been changed. */
export const hadNoEffect = (error: unknown): boolean =>
  error instanceof Error &&
  (codeOf(error) === readOnlyCode || refusedCodes.test(codeOf(error)) || hadNoEffect(error.cause))

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

/** A statement outside of a transaction is repeated where it only reads, or cannot have been done. */
export function repeatStatements(pool: pg.Pool): void {
  const once = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>
  const query = (...given: unknown[]) => {
    if (typeof given.at(-1) === 'function') return once(...given)
    return once(...given).catch((error: unknown) => {
      if (!hadNoEffect(error) && !(isLost(error) && onlyReads(given[0]))) throw error
      return once(...given)
    })
  }
  pool.query = query as pg.Pool['query']
}

/** What `select` may call here beside reading, a notice or a number of a sequence, may come twice. */
function onlyReads(question: unknown): boolean {
  const text = typeof question === 'string' ? question : (question as pg.QueryConfig).text
  return /^\s*select\b/i.test(text) && !text.includes(';')
}
