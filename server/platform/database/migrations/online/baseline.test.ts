import type pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createDatabaseBeforeBaseline } from '../../../../../tests/support/database/earlier-database.ts'
import { startServerProcess } from '../../../../../tests/support/server-process.ts'
import { startTestServer } from '../../../../../tests/support/test-server.ts'
import { migrationsFolder } from '../../migrate.ts'
import { openDatabase } from '../../open-database.ts'
import { listMigrations } from './migration-kinds.ts'

const testServer = await startTestServer()
const fresh = openDatabase({ connectionString: testServer.ownerUrl })
afterAll(() => fresh.close())
const files = await listMigrations(migrationsFolder)

test('adopts the baseline once when the database is at 0066, and ends with the same schema as a new database', async () => {
  const earlier = await createDatabaseBeforeBaseline()
  onTestFinished(() => earlier.close())
  expect(await schemaOf(earlier.pool)).not.toEqual(await schemaOf(fresh.pool))
  expect(await earlier.migrate()).toEqual(files)
  expect(await schemaOf(earlier.pool)).toEqual(await schemaOf(fresh.pool))
  const { rows } = await earlier.pool.query('select name from migrations order by name')
  expect(rows.map(({ name }) => name)).toEqual(files)
  expect(await earlier.migrate()).toEqual([])
  await addColumns(earlier.pool)
})

test('rejects a database from before 0066 with a one-line error', async () => {
  const earlier = await createDatabaseBeforeBaseline('0061-growing-tables.sql')
  onTestFinished(() => earlier.close())
  const server = startServerProcess({ DATABASE_URL: earlier.url, DEMO: '0', PORT: '0' })
  expect(await server.ended).toBe(1)
  expect(server.err().trim()).toBe(
    'This database is at migration 0061-growing-tables.sql, which is too old. Start Keyturn 0.1.0 on it once, then this version.',
  )
})

test('adds a column with a constant default to every table', () => addColumns(fresh.pool))

/** Rolls back; fails while a function with an SQL-standard body uses a table's row type. */
async function addColumns(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ name: string }>(
      `select oid::regclass as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    )
    expect(rows.length).toBeGreaterThan(50)
    for (const { name } of rows)
      await client.query(`alter table ${name} add column added_later text not null default 'x'`)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Returns functions, columns, constraints, indexes and triggers as PostgreSQL prints them. */
async function schemaOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ is: string }>(`
    select pg_get_functiondef(oid) as is from pg_proc where pronamespace = 'public'::regnamespace and proname <> 'keyturn_now'
    union all
    select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid))
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
      and attrelid in (select oid from pg_class where relkind in ('r', 'p', 'S') and relnamespace = 'public'::regnamespace)
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'public'::regnamespace
    union all
    select indexdef from pg_indexes where schemaname = 'public'
    union all
    select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = 'public'::regnamespace
    order by 1`)
  return rows.map((row) => row.is)
}

test('does not change a database at 0066 that contains evidence in an older format', async () => {
  const earlier = await createDatabaseBeforeBaseline()
  onTestFinished(() => earlier.close())
  await earlier.pool.query(`
    insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash)
      values (repeat('a', 24), 'selma@example.com', 'SELLER', 'Selma', 'Sanders', '617 555 0100', '');
    insert into notifications (id, recipient_id, type, message, public_message)
      values (repeat('b', 24), repeat('a', 24), 'Buyer_Offer', 'An offer', '')`)
  await expect(earlier.migrate()).rejects.toThrow(/formats of development versions/)
  const { rows } = await earlier.pool.query('select name from migrations order by name')
  expect(rows.at(-1)).toEqual({ name: '0066-taking-a-key.before.sql' })
})
