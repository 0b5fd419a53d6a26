import type pg from 'pg'
import { reasonOf } from '../../../shared/reason-of.ts'
import { type DatabaseHost, formatHost } from './primary.ts'

// Which database this is. Behind an address may stand another one after a while: a clean one, a copy, an older restore. Whoever serves
// works with the one it began with, and with no other (R-everywhere-53, decision 58).

/** What a server has served since its start, and whom it tells when it meets another. */
export type ServedDatabase = { identity: string; tell?: (news: Error | null) => void }

/** Watches what connections lead to: null where any will do. */
export type IdentityCheck = {
  /** Rejects where this is another database. */
  check(client: pg.ClientBase, place: DatabaseHost): Promise<void>
  /** How a connection began; the same news are told once. */
  ended(fault: unknown): void
} | null

/** A physical standby has the same, and so has a server upgraded in place; a restored dump has another. */
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
/** Who may not, or runs an engine that has no such function, does without. */
const unasked = [forbidden, '42883']
/** Of connections that were not made, as PostgreSQL names them. */
const anotherCode = '08004'

export const differentDatabaseError = (why: string): Error =>
  Object.assign(new Error(why), { code: anotherCode })

/** No such database or user there, tables that are not, or somebody else's. */
const strange = [anotherCode, '3D000', '28000', '28P01', '42P01', forbidden]

export const isDifferentDatabaseError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && strange.includes(String(error.code))
