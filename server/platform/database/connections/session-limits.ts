import type pg from 'pg'
import { withoutTimeouts } from '../without-timeouts.ts'

/** Settings of every session; the first two are in milliseconds. */
export const sessionLimits = {
  statement_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
  // Compiling a plan or starting a parallel worker takes longer than any of our queries.
  jit: 'off',
  max_parallel_workers_per_gather: 0,
} as const

/**
 * Returns startup options. A timeout of 0 is sent explicitly, because otherwise the user's own
 * limit would apply.
 */
export function startupOptions(statement_timeout: number): pg.ClientConfig {
  const { idle_in_transaction_session_timeout, jit, max_parallel_workers_per_gather } = sessionLimits
  const without = statement_timeout === 0 ? ' -c statement_timeout=0' : ''
  return {
    statement_timeout,
    idle_in_transaction_session_timeout,
    options: `-c jit=${jit} -c max_parallel_workers_per_gather=${max_parallel_workers_per_gather}${without}`,
  }
}

/** An arbitrary number that no other program on this database may lock. */
const lockNumber = 7_165_015

/**
 * Sets the limits on the current user in this database, since a pooler rejects startup options. New
 * sessions get them. Returns false, and reverts them, if pooler and direct address differ.
 */
export async function setUserLimits(pool: pg.Pool): Promise<boolean> {
  return withoutTimeouts(pool, async (client) => {
    const resets = await setLimits(client)
    // The pooler reuses the session of this query, so it must begin with the limits set.
    const [pooled, direct] = [await pool.query<Known>(known), await client.query<Known>(known)]
    const isSame = pooled.rows[0]?.it === direct.rows[0]?.it
    if (!isSame) for (const reset of resets) await client.query(reset)
    return isSame
  })
}

type Known = { it: string }
const known = `select concat_ws(' ', current_user, current_database(), pg_postmaster_start_time()) as it`

/** Returns the statements that undo the change. */
async function setLimits(client: pg.Client): Promise<string[]> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
  const { rows } = await client.query<{ target: string; stored: string[] | null }>(
    `select format('alter role %I in database %I', current_user, datname) as target, setconfig as stored from pg_database
     left join pg_db_role_setting on setdatabase = pg_database.oid and setrole = current_user::regrole
     where datname = current_database()`,
  )
  const { target = '', stored = null } = rows[0] ?? {}
  const missing = Object.entries(sessionLimits).filter(
    ([name, value]) => !stored?.includes(`${name}=${value}`),
  )
  for (const [name, value] of missing) await client.query(`${target} set ${name} = '${value}'`)
  await client.query('commit')
  return missing.map(([name]) => `${target} reset ${name}`)
}
