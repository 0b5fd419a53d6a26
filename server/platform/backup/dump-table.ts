import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { type WrittenFile, writeSyncedFile } from './checksummed-files.ts'
import type { Manifest, TableDump } from './manifest.ts'

type Columns = Omit<TableDump, 'rows'>

/** Lists all tables with their columns, except generated columns and partitions. */
export async function listTables(client: pg.ClientBase): Promise<Columns[]> {
  const { rows } = await client.query<Columns>(`
    select relname::text as name, array_agg(attname::text order by attname collate "C") as columns
    from pg_class c join pg_attribute a on attrelid = c.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname collate "C"`)
  return rows
}

export async function listSequences(client: pg.ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(`
    select sequencename::text as name, last_value::text as last
    from pg_sequences where schemaname = current_schema() order by 1`)
  return rows
}

export const tableFile = (table: string) => `tables/${table}.gz`
export const quoteNames = (columns: readonly string[]) =>
  columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ')

/** Makes the text output independent of the server's version and settings. */
export const textFormat = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 3; set local timezone = 'UTC'; set local bytea_output = 'hex'`

export async function dumpTable(
  client: pg.ClientBase,
  { name, columns }: Columns,
  folder: string,
): Promise<{ rows: number; file: WrittenFile }> {
  const names = quoteNames(columns)
  // `copy` of a partitioned table fails; `copy (select)` includes its partitions.
  const copying = client.query(to(`copy (select ${names} from "${name}") to stdout`))
  const packing = createGzip({ level: 1 })
  const [, file] = await Promise.all([
    pipeline(copying, packing),
    writeSyncedFile(join(folder, tableFile(name)), packing),
  ])
  return { rows: copying.rowCount, file }
}
