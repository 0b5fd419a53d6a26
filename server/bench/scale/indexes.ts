import type pg from 'pg'

type Made = { table: string; definition: string }
/** Statements that make everything as it was: the indexes and keys of each table, and at the end what refers to what. */
export type TakenIndexes = { ofTables: { table: string; remake: string }[]; references: string }

/** Takes away all indexes and keys, because a table is filled many times faster without. */
export async function takeIndexes(pool: pg.Pool): Promise<TakenIndexes> {
  const { rows: constraints } = await pool.query<Made & { name: string; isReference: boolean }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition, contype = 'f' as "isReference"
     from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f') order by contype`,
  )
  for (const { table, name } of constraints) await pool.query(`alter table ${table} drop constraint ${name}`)
  const { rows: indexes } = await pool.query<Made & { name: string }>(
    `select tablename as table, quote_ident(indexname) as name, indexdef as definition from pg_indexes where schemaname = 'public'`,
  )
  for (const { name } of indexes) await pool.query(`drop index ${name}`)
  const anew = (isReference: boolean) =>
    constraints
      .filter((one) => one.isReference === isReference)
      .map(({ table, name, definition }) => ({
        table,
        // What was filled is known to be right: it is not looked through.
        definition: `alter table ${table} add constraint ${name} ${definition}${isReference ? ' not valid' : ''}`,
      }))
  const made = [...anew(false), ...indexes]
  return {
    ofTables: [...new Set(made.map(({ table }) => table))].map((table) => ({
      table,
      remake: made.flatMap((one) => (one.table === table ? [one.definition] : [])).join(';'),
    })),
    references: anew(true)
      .map(({ definition }) => definition)
      .join(';'),
  }
}
