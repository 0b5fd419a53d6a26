import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { toApiError } from '../../http/error-handlers.ts'
import { transaction } from '../open-database.ts'
import { openSessionClient } from './primary-clients.ts'

// Connections end during use: the database stops, or a service closes idle connections.

const server = await startTestServer()
const { db, pool } = server.deps
await server.query('create table notes (note text)')
await server.query(`
  create function end_connection() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
  create constraint trigger at_commit after insert on notes deferrable initially deferred
    for each row when (new.note = 'ends at commit') execute function end_connection()`)
const endOwn = sql`select pg_terminate_backend(pg_backend_pid())`

// R-everywhere-51
test('retries a transaction once when its connection ends before the commit', async () => {
  let runs = 0
  await transaction(db, async (tx) => {
    runs++
    await tx.execute(sql`insert into notes values ('ends before')`)
    if (runs === 1) await tx.execute(endOwn)
  })
  expect(runs).toBe(2)
  expect(await notes('ends before')).toBe(1)
})

// R-everywhere-51, R-safe-16
test('does not retry a transaction when its connection ends during the commit', async () => {
  let runs = 0
  const ended = transaction(db, async (tx) => {
    runs++
    await tx.execute(sql`insert into notes values ('ends at commit')`)
  })
  await expect(ended.catch((error) => toApiError(error)?.code)).resolves.toBe('Unavailable')
  expect(runs).toBe(1)
})

// R-everywhere-51
test('retries a statement that only reads, but not one that writes', async () => {
  await server.query('create sequence runs')
  const ending = `pg_terminate_backend(case when nextval('runs') % 2 = 1 then pg_backend_pid() else 0 end)`
  expect((await pool.query(`select ${ending}`)).rowCount).toBe(1)
  const written = pool.query(
    `with ended as (select ${ending} as it) insert into notes select it::text from ended`,
  )
  await expect(written.catch((error) => toApiError(error)?.code)).resolves.toBe('Unavailable')
})

// R-everywhere-22
test('succeeds with a query when all idle connections were closed', async () => {
  const everybody = () => Promise.all(Array.from({ length: 20 }, () => pool.query('select pg_sleep(0.01)')))
  await everybody()
  const cut = await server.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'keyturn_app' and datname = current_database()`,
  )
  expect(cut.length).toBeGreaterThan(5)
  await everybody()
  await transaction(db, (tx) => tx.execute(sql`insert into notes values ('after the cut')`))
  expect(await notes('after the cut')).toBe(1)
})

test.each(['57P01', '57P05', '25006', '08007', 'EHOSTUNREACH', 'ENOTFOUND'])(
  'maps the database error %s to Unavailable',
  (code) => {
    expect(toApiError(new Error('', { cause: Object.assign(new Error(), { code }) }))?.code).toBe(
      'Unavailable',
    )
  },
)

const notes = async (note: string) => (await server.query('select from notes where note = $1', [note])).length

// R-everywhere-22
test('fails only the session itself when it is terminated without a listener', async () => {
  const client = openSessionClient(pool)
  await client.connect()
  const ended = new Promise((resolve) => client.once('end', () => resolve(null)))
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await server.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
  await expect(client.query('select 1')).rejects.toThrow()
})
