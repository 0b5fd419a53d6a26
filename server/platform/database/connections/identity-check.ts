import type pg from 'pg'
import { describeError } from '../../../shared/describe-error.ts'
import { type DatabaseHost, formatHost } from './database-hosts.ts'

// An address may later lead to another database: an empty one, a copy, an older restore. A server
// works only with the database that it started with (R-everywhere-53, decision 58).

/**
 * The database that this server has used since startup. `onChange` gets an error for a different database, and null
 * when the error is resolved.
 */
export type ServedDatabase = { identity: string; onChange?: (news: Error | null) => void }

/** Checks the database of each connection; null accepts any database. */
export type IdentityCheck = {
  /** Rejects if this is a different database. */
  check(client: pg.ClientBase, place: DatabaseHost): Promise<void>
  /** Records how a connection attempt ended; notifies only when the result changes. */
  ended(fault: unknown): void
} | null

/** Identifies the database. A failover or an upgrade keeps the value; a restored dump does not. */
export async function readIdentity(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<Row>(clusterQuery).catch((error: { code?: unknown }) => {
    if (!fallbackCodes.includes(String(error.code))) throw error
    return client.query<Row>(databaseQuery)
  })
  return rows[0]?.it ?? ''
}

type Row = { it: string }
const databaseQuery = `select concat_ws(' ', oid, (select extract(epoch from min(ran_at)) from migrations)) as it
  from pg_database where datname = current_database()`
const clusterQuery = `select concat_ws(' ', system_identifier, it) as it from pg_control_system(), (${databaseQuery}) as of`

export function createIdentityCheck(served: ServedDatabase | undefined): IdentityCheck {
  if (!served) return null
  let isDifferent = false
  return {
    async check(client, place) {
      const found = await readIdentity(client).catch((error) => {
        if (!isDifferentDatabaseError(error)) throw error
        return ''
      })
      if (found !== served.identity) throw differentDatabaseError(`${formatHost(place)} is another database`)
    },
    ended(fault) {
      const wasDifferent = isDifferent
      if (!fault) isDifferent = false
      else if (isDifferentDatabaseError(fault)) isDifferent = true
      if (isDifferent === wasDifferent) return
      served.onChange?.(isDifferent ? new Error(describeError(fault)) : null)
    },
  }
}

const forbidden = '42501'
/**
 * The user is not allowed to call `pg_control_system`, or the engine lacks it: the fallback is
 * used.
 */
const fallbackCodes = [forbidden, '42883']
/** PostgreSQL's code for a rejected connection. */
const rejectedCode = '08004'

export const differentDatabaseError = (why: string): Error =>
  Object.assign(new Error(why), { code: rejectedCode })

/** The database, user or tables are missing, or belong to another owner. */
const differentDatabaseCodes = [rejectedCode, '3D000', '28000', '28P01', '42P01', forbidden]

export const isDifferentDatabaseError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && differentDatabaseCodes.includes(String(error.code))
