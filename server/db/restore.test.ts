import { expect, test } from 'vitest'
import { findEvidenceFaults } from '../deals/agreement/verify-evidence.ts'
import { findLogFaults } from '../deals/evidence-log/verify-log.ts'
import { serving } from '../test/database.ts'
import { aSaleAt, progressOf } from '../test/deals.ts'
import { type House, openHouse } from '../test/house.ts'
import { letRoleWork, servingAs } from './application-role.ts'

// A backup holds every row as text, as `pg_dump` writes it, and is read into tables that are made anew.

const [house, restored] = [await openHouse(), await openHouse()]
const sale = await aSaleAt(house, 'completed')

// R-safe-7
test('evidence that was restored from a dump verifies as before, and is out of reach as before', async () => {
  await restore(await dump(house), restored)
  expect(await findEvidenceFaults(restored.deps.db)).toEqual([])
  expect(await findLogFaults(restored.deps.db)).toEqual([])
  expect(await dump(restored)).toEqual(await dump(house))
  await letRoleWork(restored.owner.pool, serving)
  expect((await servingAs(restored.deps.pool)).isGuarded).toBe(true)
  await expect(restored.deps.pool.query('delete from signatures')).rejects.toMatchObject({ code: '42501' })
  // What comes after continues the chains and the log.
  const { fullySigned } = await progressOf(await aSaleAt(restored, 'passed'))
  expect(fullySigned).toBe(true)
  expect(await findEvidenceFaults(restored.deps.db)).toEqual([])
  expect(await findLogFaults(restored.deps.db)).toEqual([])
  expect((await progressOf(sale)).completed).toBe(true)
})

// R-safe-7
test.each(['signatures', 'consents', 'deal_events', 'packages', 'log_leaves', 'log_nodes', 'log_heads'])(
  'a dump that lacks a row of %s shows',
  async (table) => {
    const rows = await dump(house)
    await restore({ ...rows, [table]: (rows[table] ?? []).slice(1) }, restored)
    const faults = [
      ...(await findEvidenceFaults(restored.deps.db)),
      ...(await findLogFaults(restored.deps.db).catch((fault: Error) => [fault])),
    ]
    expect(faults).not.toEqual([])
  },
)

type Dump = Record<string, string[]>

async function dump(from: House): Promise<Dump> {
  const tables = await from.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const rows: Dump = {}
  for (const { name } of tables) {
    const found = await from.query<{ row: string }>(`select one::text as row from ${name} one order by 1`)
    rows[name] = found.map(({ row }) => row)
  }
  return rows
}

/** As `pg_restore` does it: guards are not there yet while the rows come, and no schema is searched for names without one. */
async function restore(rows: Dump, into: House): Promise<void> {
  const client = await into.owner.pool.connect()
  try {
    await client.query(`begin; set local session_replication_role = 'replica'; set local search_path = ''`)
    for (const [table, ones] of Object.entries(rows)) {
      const { rows: columns } = await client.query<{ name: string }>(
        `select quote_ident(attname) as name from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
        [`public.${table}`],
      )
      const names = columns.map(({ name }) => name).join(', ')
      await client.query(`delete from public.${table}`)
      await client.query(
        `insert into public.${table} (${names}) overriding system value
         select ${names} from (select (one::public.${table}).* from unnest($1::text[]) one) as read`,
        [ones],
      )
    }
    await client.query('reset search_path')
    // As a dump sets the sequences that number rows.
    const { rows: numbered } = await client.query<{ statement: string }>(
      `select format('select setval(%L, coalesce((select max(%I) from %s), 0) + 1)', pg_get_serial_sequence(t, c), c, t) as statement
       from (select attrelid::regclass::text as t, attname::text as c from pg_attribute
         where attidentity <> '' and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')) i`,
    )
    for (const { statement } of numbered) await client.query(statement)
    await client.query(`select setval('row_versions', 1000000)`)
    await client.query('commit')
  } finally {
    client.release()
  }
}
