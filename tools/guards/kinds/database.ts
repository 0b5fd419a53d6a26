import type { Guard } from '../guard.ts'

type Query = <Row>(text: string) => Promise<Row[]>
type Found = { name: string; on: string; what: string; drop: string }

/** Each unique index, key, check and trigger of the migrated database is dropped in the tests' template. */
export async function databaseGuards(query: Query): Promise<Guard[]> {
  const found = (await Promise.all([indexes, constraints, triggers].map((text) => query<Found>(text)))).flat()
  return found.map(({ name, on, what, drop }) => ({
    id: `database ${on}: without ${name} ${what}`,
    kind: 'database',
    path: 'server/db/migrations',
    line: 1,
    within: on,
    edits: [],
    sql: [drop],
  }))
}

const indexes = `
  select c.relname as name, t.relname as on, pg_get_indexdef(i.indexrelid) as what, format('drop index %I', c.relname) as drop
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where i.indisunique and t.relnamespace = 'public'::regnamespace
    and not exists (select 1 from pg_constraint where conindid = i.indexrelid)
  order by 2, 1`

/** A random primary key only names its row and guards nothing. */
const constraints = `
  select conname as name, conrelid::regclass::text as on, pg_get_constraintdef(oid) as what,
    format('alter table %s drop constraint %I cascade', conrelid::regclass, conname) as drop
  from pg_constraint
  where connamespace = 'public'::regnamespace and contype in ('u', 'c', 'p')
    and not (contype = 'p' and pg_get_constraintdef(oid) in ('PRIMARY KEY (id)', 'PRIMARY KEY (hash)'))
    and conrelid <> coalesce(to_regclass('migrations'), 0)
  order by 2, 1`

const triggers = `
  select tgname as name, tgrelid::regclass::text as on, pg_get_triggerdef(oid) as what,
    format('drop trigger %I on %s', tgname, tgrelid::regclass) as drop
  from pg_trigger where not tgisinternal
  order by 2, 1`
