import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { applyMigrations } from '../database/migrate.ts'
import { StartupError } from '../startup/startup-error.ts'
import { listTables, quoteNames, tableFile, textFormat } from './dump-table.ts'
import type { Manifest, TableDump } from './manifest.ts'

const quoted = pg.escapeIdentifier

/**
 * Creates the tables with the backup's own migrations and fills them, in the current transaction.
 * Triggers and foreign keys are off while rows are inserted; foreign keys are checked at the end.
 * Must run as the owner of the tables.
 */
export async function fillTables(
  client: pg.ClientBase,
  folder: string,
  { migrations: steps, tables, sequences }: Manifest,
): Promise<void> {
  await applyMigrations(client, steps)
  await requireSameTables(client, tables)
  await client.query(textFormat)
  const references = await dropForeignKeys(client)
  const all = tables.map(({ name }) => quoted(name))
  for (const table of all) await client.query(`alter table ${table} disable trigger user`)
  // Migrations insert rows of their own.
  await client.query(`truncate ${all.join(', ')}`)
  for (const table of tables) await fillTable(client, folder, table)
  for (const table of all) await client.query(`alter table ${table} enable trigger user`)
  for (const statement of references) await client.query(statement)
  for (const { name, last } of sequences)
    if (last !== null) await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), last])
  await skipVersions(client)
}

/** Skips row versions issued after the backup, because open pages may still hold them. */
export const skipVersions = (client: pg.ClientBase) =>
  client.query(`select setval('row_versions', nextval('row_versions') + 1000000000)`)

async function requireSameTables(client: pg.ClientBase, tables: readonly TableDump[]): Promise<void> {
  const actual = (await listTables(client)).map(({ name, columns }) => `${name}(${columns.join(', ')})`)
  const expected = tables.map(({ name, columns }) => `${name}(${columns.join(', ')})`)
  const odd = [
    ...actual.filter((one) => !expected.includes(one)),
    ...expected.filter((one) => !actual.includes(one)),
  ]
  if (odd.length > 0)
    throw new StartupError(`The tables of this backup are not those of its version: ${odd.join('; ')}.`)
}

/** Drops all foreign keys and returns the statements that restore them. */
async function dropForeignKeys(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ of: string; name: string; is: string }>(`
    select conrelid::regclass::text as of, quote_ident(conname) as name, pg_get_constraintdef(oid) as is
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`)
  for (const { of, name } of rows) await client.query(`alter table ${of} drop constraint ${name}`)
  return rows.map(({ of, name, is }) => `alter table ${of} add constraint ${name} ${is}`)
}

async function fillTable(
  client: pg.ClientBase,
  folder: string,
  { name, columns, rows }: TableDump,
): Promise<void> {
  const filling = client.query(from(`copy ${quoted(name)} (${quoteNames(columns)}) from stdin`))
  await pipeline(createReadStream(join(folder, tableFile(name))), createGunzip(), filling)
  if (filling.rowCount !== rows)
    throw new StartupError(`The backup has ${filling.rowCount} rows of ${name} instead of ${rows}.`)
}
