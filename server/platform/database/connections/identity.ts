import type pg from 'pg'
import { reasonOf } from '../../../shared/reason-of.ts'
import { type DatabaseHost, formatHost } from './hosts.ts'

// An address may later lead to another database: an empty one, a copy, an older restore. A server
// works only with the database that it started with (R-everywhere-53, decision 58).

/** The database served since startup. `tell` gets an error for another one, null when resolved. */
export type ServedDatabase = { identity: string; tell?: (news: Error | null) => void }

/** Checks the database of each connection; null accepts any database. */
export type IdentityCheck = {
  /** Rejects if this is another database. */
  check(client: pg.ClientBase, place: DatabaseHost): Promise<void>
  /** Records how a connection attempt ended; notifies only when the result changes. */
  ended(fault: unknown): void
} | null

/** Identifies the database. A failover or an upgrade keeps the value; a restored dump does not. */
export async function identityOf(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<Row>(ofCluster).catch((error: { code?: unknown }) => {
    if (!unasked.includes(String(error.code))) throw error
    return client.query<Row>(ofDatabase)
  })
  return rows[0]?.it ?? ''
}

type Row = { it: string }
const ofDatabase = `select concat_ws(' ', oid, (select extract(epoch from min(ran_at)) from migrations)) as it
  from pg_database where datname = current_database()`
const ofCluster = `select concat_ws(' ', system_identifier, it) as it from pg_control_system(), (${ofDatabase}) as of`

export function openIdentityCheck(served: ServedDatabase | undefined): IdentityCheck {
  if (!served) return null
  let isElsewhere = false
  return {
    async check(client, place) {
      const found = await identityOf(client).catch((error) => {
        if (!isDifferentDatabaseError(error)) throw error
        return ''
      })
      if (found !== served.identity) throw differentDatabaseError(`${formatHost(place)} is another database`)
    },
    ended(fault) {
      const wasElsewhere = isElsewhere
      if (!fault) isElsewhere = false
      else if (isDifferentDatabaseError(fault)) isElsewhere = true
      if (isElsewhere === wasElsewhere) return
      served.tell?.(isElsewhere ? new Error(reasonOf(fault)) : null)
    },
  }
}

const forbidden = '42501'
/** The user may not call `pg_control_system`, or the engine lacks it: the fallback is used. */
const unasked = [forbidden, '42883']
/** PostgreSQL's code for a rejected connection. */
const anotherCode = '08004'

export const differentDatabaseError = (why: string): Error =>
  Object.assign(new Error(why), { code: anotherCode })

/** The database, user or tables are missing, or belong to another owner. */
const strange = [anotherCode, '3D000', '28000', '28P01', '42P01', forbidden]

export const isDifferentDatabaseError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && strange.includes(String(error.code))
