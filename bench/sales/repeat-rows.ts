import type pg from 'pg'

/** Rows that a database has once, or whose number does not depend on the number of sales. */
const once = [
  'admin_access_tokens',
  'admin_refresh_tokens',
  'admin_sessions',
  'backups',
  'dealers',
  'dealer_areas',
  'deal_counts',
  'jobs',
  'log_keys',
  'migrations',
  'outgoing_stops',
  'seal_certificates',
  'server_keys',
  'throttles',
]

type Column = { name: string; type: string; isUnique: boolean }

/**
 * Repeats all rows of the sales in the database, dated back over a year. Ids, digests and unique
 * texts get other values of the same length, so that every row and index entry is as long as the
 * real one. Triggers are off, so evidence is not valid.
 */
export async function repeatRows(client: pg.ClientBase, times: number): Promise<void> {
  await client.query(`set session_replication_role = 'replica'; set synchronous_commit = off`)
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all($1) order by 1`,
    [once],
  )
  for (const { name } of tables) {
    await client.query(`create temp table template as select * from ${name}`)
    const columns = await columnsOf(client, name)
    await client.query(
      `insert into ${name} (${columns.map((column) => `"${column.name}"`).join(', ')}) overriding system value
       select ${columns.map((column) => copyOf(column, times)).join(', ')}
       from generate_series(1, ${times}) n, template on conflict do nothing`,
    )
    await client.query('drop table template')
  }
  await client.query('reset session_replication_role')
  await client.query('vacuum analyze')
}

async function columnsOf(client: pg.ClientBase, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select attname as name, format_type(atttypid, null) as type, exists (
       select from pg_index where indrelid = attrelid and indisunique and attnum = any(indkey)) as "isUnique"
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [table],
  )
  return rows
}

function copyOf({ name, type, isUnique }: Column, times: number): string {
  const column = `template."${name}"`
  if (type === 'character') return `substr(md5(n || ${column}), 1, 24)`
  if (type.startsWith('timestamp')) return `${column} - n * interval '365 days' / ${times}`
  if (type === 'bytea' && (isUnique || name === 'digest'))
    return `case length(${column}) when 32 then sha256(n::text::bytea || ${column}) else ${column} end`
  if (type === 'bigint' && isUnique) return `${column} + n * 1000000::bigint`
  if (type === 'text' && isUnique)
    return `case when ${column} ~ '^[0-9a-f]{64}$' then encode(sha256((n || ${column})::bytea), 'hex')
      when length(${column}) < 12 then ${column}
      else left(md5(n || ${column}) || ${column}, length(${column})) end`
  return column
}
