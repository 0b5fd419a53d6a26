import type pg from 'pg'
import { findEvidenceTables } from '../../server/modules/agreements/verification/database-checks.ts'
import type { Db } from '../../server/platform/database/open-database.ts'

export type TableSize = { name: string; rows: number; live: number; heap: number; indexes: number }

/** `heap` has out-of-line values; `live` are the bytes of the rows alone. */
export async function readSizes(client: pg.ClientBase): Promise<TableSize[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const sizes: TableSize[] = []
  for (const { name } of names) {
    const { rows } = await client.query<TableSize>(
      `select $1::text as name, count(*)::float8 as rows, coalesce(sum(pg_column_size(t.*)), 0)::float8 as live,
         pg_table_size($1::regclass)::float8 as heap, pg_indexes_size($1::regclass)::float8 as indexes
       from ${name} t`,
      [name],
    )
    sizes.push(...rows)
  }
  return sizes
}

export const totalOf = (sizes: readonly TableSize[]): number =>
  sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0)

/** Row count and digest of each table of evidence. Failed tries of deliveries may be removed. */
export async function digestEvidence(client: pg.ClientBase, db: Db): Promise<string[]> {
  const lines: string[] = []
  for (const name of await findEvidenceTables(db)) {
    const which = name === 'delivery_tries' ? 'where because is null' : ''
    const { rows } = await client.query<{ line: string }>(
      `select $1 || ' ' || count(*) || ' ' || coalesce(bit_xor(hashtextextended(t::text, 0)), 0) as line from ${name} t ${which}`,
      [name],
    )
    lines.push(...rows.map(({ line }) => line))
  }
  return lines
}
