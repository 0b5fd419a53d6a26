import type { TestServer } from './test-server.ts'

/**
 * Digests every row of every table, including sessions and counters. A rejected request must not
 * change them.
 */
export async function digestOf(house: TestServer, leftOut = '^$'): Promise<unknown[]> {
  const tables = await house.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname !~ $1`,
    [leftOut],
  )
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as digest from ${name} t`,
  )
  return house.query(`${each.join(' union all ')} order by name`)
}
