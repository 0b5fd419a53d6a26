import pg from 'pg'
import { expect, test } from 'vitest'
import { servingRoleName } from '../../../tests/support/database/database.ts'
import { startTestServerWithDealer } from '../../../tests/support/dealers/test-server-with-dealer.ts'
import { aWholesaler } from '../../../tests/support/people.ts'
import { aSaleAt } from '../../../tests/support/sales/deals.ts'
import { aTrade } from '../../../tests/support/trades.ts'
import { saleTasks } from '../../tasks.ts'
import { runDueJobs } from '../jobs/jobs.ts'
import { findServingRole, grantServingRole } from './application-role.ts'

const server = await startTestServerWithDealer()
const sale = await aSaleAt(server, 'passed')
await aTrade(sale.buyer)
await server.query('insert into passkey_signatures select id, deal_id from signatures limit 1')
await aWholesaler(server)
await runDueJobs(server.deps, saleTasks(server.deps))
await server.sendSteps(sale, 'accepted')

/** One column of each table with a `refuse_change` trigger, as listed in `invariants.test.ts`. */
const guarded = await server.query<{ table: string; column: string; trigger: string }>(`
  select t.tgrelid::regclass::text as table, min(t.tgname) as trigger, (
    select quote_ident(attname) from pg_attribute
    where attrelid = t.tgrelid and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
    order by attnum desc limit 1) as column
  from pg_trigger t where t.tgfoid = 'refuse_change'::regproc and not t.tgisinternal
  group by t.tgrelid order by 1`)
const evidence = guarded.map(({ table, column, trigger }) => [table, column, trigger] as const)

test.each(evidence)('rejects updating, deleting and truncating %s', async (table, column) => {
  const rows = () => server.query(`select * from ${table} order by 1, 2`)
  const before = await rows()
  expect(before).not.toEqual([])
  for (const statement of [
    `update ${table} set ${column} = null`,
    `delete from ${table}`,
    `truncate ${table}`,
    `truncate ${table} cascade`,
    'truncate deals, trades, users cascade',
  ])
    await expect(server.query(statement)).rejects.toThrow(/never changed|referenced in a foreign key/)
  expect(await rows()).toEqual(before)
})

/** Runs a statement as the serving role. */
const serve = (statement: string) => server.deps.pool.query(statement)
const forbidden = { code: '42501' }

// R-safe-7
test.each(evidence)(
  'does not let the serving role change %s, delete its rows or drop its triggers',
  async (table, column, trigger) => {
    const before = await server.query(`select * from ${table} order by 1, 2`)
    for (const statement of [
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table}`,
      `truncate ${table} cascade`,
      `alter table ${table} disable trigger user`,
      `alter table ${table} disable trigger ${trigger}`,
      `alter table ${table} rename to another`,
      `alter table ${table} add column another int`,
      `drop trigger ${trigger} on ${table}`,
      `create trigger another before update on ${table} for each row execute function suppress_redundant_updates_trigger()`,
      `create rule another as on delete to ${table} do instead nothing`,
      `drop table ${table} cascade`,
    ])
      await expect(serve(statement), statement).rejects.toMatchObject(forbidden)
    // PostgreSQL only warns, and grants nothing.
    await serve(`grant all on ${table} to public`)
    await expect(serve(`delete from ${table}`)).rejects.toMatchObject(forbidden)
    expect(await server.query(`select * from ${table} order by 1, 2`)).toEqual(before)
  },
)

test.each([
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return old; end $$',
  'create or replace function keyturn_now() returns timestamptz language sql stable as $$ select now() $$',
  'drop function refuse_change() cascade',
  "set session_replication_role = 'replica'",
  'create table another (id int)',
  'drop schema public cascade',
  `insert into migrations (name) values ('9999-another.sql')`,
  'set role postgres',
])('does not let the serving role bypass the triggers: %s', async (statement) => {
  const [{ owner } = { owner: '' }] = await server.query<{ owner: string }>('select current_user as owner')
  await expect(serve(statement.replace('postgres', owner))).rejects.toMatchObject(forbidden)
})

// R-safe-7, R-deals-80
test('does not let the serving role change the evidence tallies or redirect their trigger', async () => {
  const before = await server.query('select * from evidence_tallies order by 1, 2')
  for (const statement of [
    'update evidence_tallies set rows = rows - 1',
    'delete from evidence_tallies',
    'truncate evidence_tallies',
    `insert into evidence_tallies values ('account_events', 'nobody', 0, 0::bit(256))`,
  ])
    await expect(serve(statement), statement).rejects.toMatchObject(forbidden)
  expect(await server.query('select * from evidence_tallies order by 1, 2')).toEqual(before)
  const client = await server.deps.pool.connect()
  try {
    const counted = `select rows::int from public.evidence_tallies where (evidence, about) = ('account_events', $1)`
    await client.query(
      'begin; create temp table evidence_tallies (like public.evidence_tallies including all)',
    )
    const [{ rows: was }] = (await client.query(counted, [sale.buyer.id])).rows
    await client.query(`insert into account_events (user_id, actor, event) values ($1, 'PERSON', 'edited')`, [
      sale.buyer.id,
    ])
    expect((await client.query(counted, [sale.buyer.id])).rows).toEqual([{ rows: was + 1 }])
  } finally {
    await client.query('rollback')
    client.release()
  }
})

// R-safe-7
test('revokes excess grants at startup, and protects new evidence tables automatically', async () => {
  await server.query(
    `grant update (ip), delete on signatures to ${servingRoleName}; revoke select on cars from ${servingRoleName}`,
  )
  await server.query(`create table kept (id int); insert into kept values (1);
    create trigger kept_stay before update or delete on kept for each row execute function refuse_change()`)
  expect((await findServingRole(server.deps.pool)).isGuarded).toBe(false)
  await grantServingRole(server.owner.pool, servingRoleName)
  expect(await findServingRole(server.deps.pool)).toEqual({
    user: servingRoleName,
    hasTables: true,
    isGuarded: true,
  })
  for (const statement of ['update signatures set ip = null', 'delete from signatures', 'delete from kept'])
    await expect(serve(statement)).rejects.toMatchObject(forbidden)
  await serve('insert into kept values (2)')
  await serve('select 1 from cars')
  await server.query('drop table kept')
})

test('reports the owner, and members of the owner’s role, as unguarded', async () => {
  expect((await findServingRole(server.owner.pool)).isGuarded).toBe(false)
  const [{ owner } = { owner: '' }] = await server.query<{ owner: string }>('select current_user as owner')
  const role = `member_${process.pid}`
  await server.query(`create role ${role} login password '${role}' in role "${owner}"`)
  const url = new URL(server.ownerUrl)
  url.username = role
  url.password = role
  const pool = new pg.Pool({ connectionString: url.href, max: 1 })
  // Dropping the database can terminate a connection that is still closing after `end`.
  pool.on('error', () => {})
  try {
    expect((await findServingRole(pool)).isGuarded).toBe(false)
  } finally {
    await pool.end()
    await server.query(`drop role ${role}`)
  }
})
