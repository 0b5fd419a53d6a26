import { readdirSync } from 'node:fs'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { startTestServer } from '../../../tests/support/test-server.ts'

/** Tables that are used in SQL only. */
const withoutView = [
  'administrator_code_steps',
  'evidence_tallies',
  'jobs',
  'migrations',
  'outgoing_stops',
  'server_keys',
]

const testServer = await startTestServer()
const server = new URL('../..', import.meta.url)
const views = await readViews()

test('finds a typed definition for every table, and a table for every definition', async () => {
  const rows = await testServer.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const there = rows.map(({ name }) => name).sort()
  expect([...views.map(({ name }) => name), ...withoutView].sort()).toEqual(there)
})

test.each(views)(
  'finds the declared columns, types, nullability and defaults in $name',
  async ({ name, columns }) => {
    // A draft table makes PostgreSQL resolve each declared type.
    const draft = `draft_of_${name}`
    const declared = columns.map(({ column, type }) => `"${column}" ${type}`)
    await testServer.query(`create table ${draft} (${declared.join(', ')})`)
    const types = new Map((await columnsOf(draft)).map(({ column, type }) => [column, type]))
    await testServer.query(`drop table ${draft}`)
    expect(await columnsOf(name)).toEqual(
      columns
        .map((column) => ({ ...column, type: types.get(column.column) }))
        .sort((one, other) => (one.column < other.column ? -1 : 1)),
    )
  },
)

type Column = { column: string; type: string; nullable: boolean; hasDefault: boolean }

const columnsOf = (table: string) =>
  testServer.query<Column>(
    `select attname as column, format_type(atttypid, atttypmod) as type, not attnotnull as nullable,
       (atthasdef or attidentity <> '') as "hasDefault"
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
     order by attname collate "C"`,
    [table],
  )

/** Reads every `tables.ts`, whose exports are tables or objects of tables. */
async function readViews(): Promise<{ name: string; columns: Column[] }[]> {
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /[/\\]tables\.ts$/.test(path),
  )
  const modules = await Promise.all(files.map((path) => import(new URL(path, server).href)))
  return modules
    .flatMap((module) => Object.values<object>(module))
    .flatMap((value) => (is(value, PgTable) ? [value] : Object.values(value)))
    .filter((value): value is PgTable => is(value, PgTable))
    .map(viewOf)
}

function viewOf(table: PgTable) {
  const { name, columns } = getTableConfig(table)
  return {
    name,
    columns: columns.map((column) => ({
      column: column.name,
      type: column.getSQLType(),
      nullable: !column.notNull,
      hasDefault:
        column.hasDefault || column.generatedIdentity !== undefined || column.generated !== undefined,
    })),
  }
}
