import { readFileSync } from 'node:fs'
import { currentTextVersion } from '@keyturn/contract/deals/terms.ts'
import pg from 'pg'

const carsPerSeller = 5

/**
 * Fills a migrated, empty database with `cars` cars and their data (`fill-database.sql`). Triggers are off,
 * so evidence chains and sums are invalid. Indexes are created at the end.
 */
export async function fillDatabase(ownerUrl: string, cars: number): Promise<void> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    options:
      '-c session_replication_role=replica -c synchronous_commit=off -c work_mem=256MB -c maintenance_work_mem=1GB -c jit=off',
  })
  await client.connect()
  const allOf = async (statements: string) => {
    const { rows } = await client.query<{ statement: string }>(statements)
    return rows.map(({ statement }) => statement)
  }
  const runAll = async (statements: readonly string[]) => {
    for (const statement of statements) await client.query(statement)
  }
  try {
    // Foreign keys are added last and not validated: the data is generated.
    const keys = `pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f') order by contype = 'f'`
    const addKeys = await allOf(
      `select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
         || case contype when 'f' then ' not valid' else '' end as statement from ${keys}`,
    )
    const dropKeys = await allOf(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from ${keys} desc`,
    )
    await runAll(dropKeys)
    const indexes = `pg_indexes where schemaname = 'public'`
    const addIndexes = await allOf(`select indexdef as statement from ${indexes}`)
    await runAll(await allOf(`select format('drop index %I', indexname) as statement from ${indexes}`))
    await runAll([...statementsFor(cars), ...addIndexes, ...addKeys, 'vacuum analyze'])
  } finally {
    await client.end()
  }
}

function statementsFor(cars: number): string[] {
  const numbers: Record<string, number | string> = {
    cars,
    sellers: Math.max(1, Math.floor(cars / carsPerSeller)),
    third: Math.floor(cars / 3),
    wholesalers: 50,
    agreement: currentTextVersion,
  }
  const sql = readFileSync(new URL('fill-database.sql', import.meta.url), 'utf8')
  return sql.replace(/(?<!:):([a-z]+)\b/g, (all, name) => String(numbers[name] ?? all)).split(/;\n\n/)
}
