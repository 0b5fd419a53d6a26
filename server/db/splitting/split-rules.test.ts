import { expect, test } from 'vitest'
import { loadPrepared } from '../../test/database.ts'
import { openHouse } from '../../test/house.ts'
import { preparedTexts } from '../prepared.ts'
import {
  copiedTables,
  crossing,
  referencesAcross,
  splitTables,
  uniqueAcross,
  wholeTables,
} from './split-rules.ts'
import { readsOf } from './statement-reads.ts'

const house = await openHouse()
const splits = new Map<string, readonly string[]>(Object.entries(splitTables))
const columns = await readColumns()
await loadPrepared()

test('every table is split, copied or whole', () => {
  const ruled = [...splits.keys(), ...copiedTables, ...wholeTables].sort()
  expect(ruled).toEqual([...columns.keys()].sort())
  for (const [table, keys] of splits) expect(columns.get(table)).toEqual(expect.arrayContaining([...keys]))
})

test('every prepared query carries a key of each split table, or is named with what would be done', () => {
  expect(preparedTexts.size).toBeGreaterThan(200)
  const unruled: string[] = []
  for (const [name, textOf] of preparedTexts) {
    const { followed, everywhere } = readsOf(textOf(house.deps.db), splits, columns)
    if (followed.length + everywhere.length > 0) unruled.push(name)
  }
  expect(unruled.sort()).toEqual(crossing.flatMap(({ statements }) => statements).sort())
})

test('every unique key of a split table holds where its rows lie, or is named', async () => {
  const rows = await house.query<{ table: string; name: string; held: string[] }>(
    `select t.relname as table, i.relname as name,
       (select array_agg(attname::text) from pg_attribute where attrelid = t.oid and attnum = any(indkey)) as held
     from pg_index join pg_class t on t.oid = indrelid join pg_class i on i.oid = indexrelid
     where indisunique and t.relnamespace = 'public'::regnamespace`,
  )
  const across = rows.filter(({ table, held }) => {
    const keys = splits.get(table)
    return keys && !keys.some((key) => held.includes(key))
  })
  expect(across.map(({ name }) => name).sort()).toEqual(Object.keys(uniqueAcross).sort())
})

test('every foreign key between split tables leads to a row of the same place, or is named', async () => {
  const rows = await house.query<{ name: string; of: string; by: string; to: string; key: string }>(
    `select conname as name, conrelid::regclass::text as of, confrelid::regclass::text as to,
       (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as by,
       (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]) as key
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const across = rows.filter(({ of, by, to, key }) => {
    const [here, there] = [splits.get(of), splits.get(to)]
    return here && there && !(here.includes(by) && there.includes(key))
  })
  expect(across.map(({ name }) => name).sort()).toEqual(Object.keys(referencesAcross).sort())
})

test.each([
  ['select * from deals where id = $1', [], []],
  ['select * from deals where buyer_id = $1', [], ['deals']],
  ['select * from deals where id = any($1) or buyer_id = $2', [], ['deals']],
  ['select * from deals where id = $1 and status = $2 or id = $3', [], []],
  ['select * from deals where id is distinct from $1', [], ['deals']],
  ['select * from deals where not id = $1', [], ['deals']],
  ['select * from deals join cars on cars.id = deals.car_id where deals.id = $1', [], []],
  ['select * from deals d join sessions s on s.user_id = d.buyer_id where d.id = $1', ['sessions'], []],
  ['select * from deals where car_id in (select id from cars where seller_id = $1)', [], []],
  ['select * from deals where id not in (select deal_id from packages where id = $1)', [], ['deals']],
  [
    'select * from deals where not exists (select from cars where cars.id = deals.car_id and cars.id = $1)',
    [],
    ['deals'],
  ],
  [
    'with mine as (select car_id from deals where id = $1) select * from cars join mine on mine.car_id = cars.id',
    [],
    [],
  ],
  ['select (select count(*) from cars where vin = u.email) from users u where u.id = $1', [], ['cars']],
  ['update deals set status = $1', [], ['deals']],
  ['delete from packages using deals where deals.id = $1 and packages.deal_id = deals.id', [], []],
  ['insert into deal_events (deal_id) select id from deals where buyer_id = $1', [], ['deals']],
])('what a query is found by: %s', (statement, followed, everywhere) => {
  expect(readsOf(statement, splits, columns)).toMatchObject({ followed, everywhere })
})

async function readColumns(): Promise<Map<string, string[]>> {
  const rows = await house.query<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = 'public' group by 1`,
  )
  return new Map(rows.map((row) => [row.table, row.columns]))
}
