import type pg from 'pg'
import { withoutTimeouts } from '../without-timeouts.ts'

/** Of each session; the two first are milliseconds. */
export const sessionLimits = {
  statement_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
  // To compile a plan, or to start somebody who helps, takes longer than any of ours runs.
  jit: 'off',
  max_parallel_workers_per_gather: 0,
} as const

/** What a connection asks for when it begins. A limit of none has to be said, or the user's own would hold. */
export function startupOptions(statement_timeout: number): pg.ClientConfig {
  const { idle_in_transaction_session_timeout, jit, max_parallel_workers_per_gather } = sessionLimits
  const without = statement_timeout === 0 ? ' -c statement_timeout=0' : ''
  return {
    statement_timeout,
    idle_in_transaction_session_timeout,
    options: `-c jit=${jit} -c max_parallel_workers_per_gather=${max_parallel_workers_per_gather}${without}`,
  }
}

/** Any number will do, as long as nobody else takes the same lock. */
const lockNumber = 7_165_015

/**
 * Through a pooler nobody can ask for them: whoever serves gives them to itself, in this database, for all sessions that begin
 * from now on. False, and nothing is changed, where the pooler leads to another database or user than the address past it.
 */
export async function limitUser(pool: pg.Pool): Promise<boolean> {
  return withoutTimeouts(pool, async (client) => {
    const given = await giveLimits(client)
    // Not before: what the pooler opens for this question it keeps for others.
    const [through, past] = [await pool.query<Known>(known), await client.query<Known>(known)]
    const isSame = through.rows[0]?.it === past.rows[0]?.it
    if (!isSame) for (const reset of given) await client.query(reset)
    return isSame
  })
}

type Known = { it: string }
const known = `select concat_ws(' ', current_user, current_database(), pg_postmaster_start_time()) as it`

/** Answers what takes back those that were missing. */
async function giveLimits(client: pg.Client): Promise<string[]> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
  const { rows } = await client.query<{ whose: string; kept: string[] | null }>(
    `select format('alter role %I in database %I', current_user, datname) as whose, setconfig as kept from pg_database
     left join pg_db_role_setting on setdatabase = pg_database.oid and setrole = current_user::regrole
     where datname = current_database()`,
  )
  const { whose = '', kept = null } = rows[0] ?? {}
  const missing = Object.entries(sessionLimits).filter(([name, value]) => !kept?.includes(`${name}=${value}`))
  for (const [name, value] of missing) await client.query(`${whose} set ${name} = '${value}'`)
  await client.query('commit')
  return missing.map(([name]) => `${whose} reset ${name}`)
}
