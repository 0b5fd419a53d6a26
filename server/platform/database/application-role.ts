import pg from 'pg'
import { withoutTimeouts } from './without-timeouts.ts'

// One role owns and changes the tables; the other serves requests and can neither rewrite evidence
// nor drop its triggers (R-safe-7, decision 38). Evidence tables have a `refuse_change` trigger.

const evidence = `exists (select from pg_trigger where tgrelid = c.oid and tgfoid = to_regproc('refuse_change'))`
/** A trigger maintains `evidence_tallies` with the rights of the owner. */
const readOnly = `c.relname in ('migrations', 'evidence_tallies')`
const tables = `pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`

/** Returns one statement for each grant that the role lacks or has in excess. */
const statementsFor = `
  select format('grant usage on schema %I to %I', current_schema(), $1::name) as statement
  where not has_schema_privilege($1::name, current_schema(), 'usage')
  union all
  select format('revoke all on table %1$s from %2$I; grant %3$s on table %1$s to %2$I', name, $1::name, array_to_string(allowed, ', '))
  from (
    select c.oid, c.oid::regclass as name, case
      when ${readOnly} then '{select}'::text[]
      when ${evidence} then '{select,insert}'
      else '{select,insert,update,delete}'
    end as allowed
    from ${tables}
  ) as of
  where exists (
    select from unnest('{select,insert,update,delete,truncate,references,trigger}'::text[]) as privilege
    where has_table_privilege($1::name, of.oid, privilege) <> (privilege = any(allowed))
  )
  union all
  select format('grant usage on sequence %s to %I', c.oid::regclass, $1::name)
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace
    and case when c.relkind = 'S' then not has_sequence_privilege($1::name, c.oid, 'usage') else false end`

/** Without the lock, the second of two concurrent grants would fail. */
const lockNumber = 7_165_014

/** Fixes the grants of the serving role after migrations; must run as the owner. */
export async function grantServingRole(owner: pg.Pool, role: string): Promise<void> {
  await withoutTimeouts(owner, async (client) => {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
    const { rows } = await client.query<{ statement: string }>(statementsFor, [role])
    if (rows.length > 0) await client.query(rows.map(({ statement }) => statement).join(';\n'))
    await client.query('commit')
  })
}

export const defaultServingRole = 'keyturn_app'

/** Creates the role in the embedded database, where the owner may create roles. */
export async function createServingRole(owner: pg.Pool, role: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) await owner.query(`create role ${pg.escapeIdentifier(role)} login`)
}

export type ServingRole = {
  user: string
  /** Keyturn's tables exist, and this user may read them. */
  hasTables: boolean
  /** Privileges, and not only triggers, keep this user from changing evidence. */
  isGuarded: boolean
}

export async function findServingRole(pool: pg.Pool): Promise<ServingRole> {
  const { rows } = await pool.query<ServingRole>(`
    select current_user as user, coalesce(has_table_privilege(to_regclass('signatures'), 'select'), false) as "hasTables", not exists (
      select from ${tables} and (${evidence} or ${readOnly}) and (
        pg_has_role(current_user, c.relowner, 'member') or has_table_privilege(c.oid, 'update, delete, truncate, trigger'))
    ) as "isGuarded"`)
  const [serving] = rows
  if (!serving) throw new Error('The database returned no current user')
  return serving
}
