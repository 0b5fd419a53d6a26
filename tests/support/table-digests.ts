import type { TestServer } from './test-server.ts'

/** Computes a digest of each table's rows, to check that a rejected request changes nothing. */
export async function digestTables(server: TestServer, excluded = '^$'): Promise<unknown[]> {
  const tables = await server.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname !~ $1`,
    [excluded],
  )
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as digest from ${name} t`,
  )
  return server.query(`${each.join(' union all ')} order by name`)
}
