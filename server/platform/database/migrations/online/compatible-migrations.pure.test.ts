import { readFileSync } from 'node:fs'
import { loadModule, parseSync } from 'libpg-query'
import { expect, test } from 'vitest'
import { migrationsFolder } from '../../migrate.ts'
import { listMigrations, migrationKindOf, newestIncompatibleMigration } from './migration-kinds.ts'

// Only some migrations may run while servers of the previous version run (decision 57).

await loadModule()
const steps = (await listMigrations(migrationsFolder)).slice(1)

// R-everywhere-54
test('requires a kind in the name of every migration after the baseline', () => {
  expect(steps.filter((name) => migrationKindOf(name) === 'stop')).toEqual([])
})

test('gives every migration a number of its own', () => {
  const numbers = steps.map((name) => name.slice(0, 4))
  expect(numbers).toEqual([...new Set(numbers)])
})

// R-everywhere-54
test('accepts only statements that are compatible with older servers in migrations of kind `before`', () => {
  const before = steps.filter((name) => migrationKindOf(name) === 'before')
  const faults = before.map((name) => [
    name,
    ...unbearable(readFileSync(new URL(name, migrationsFolder), 'utf8')),
  ])
  expect(faults.filter(([, fault]) => fault)).toEqual([])
})

test.each([
  'create table notes (id int primary key, text text not null); create unique index on notes (text); alter table notes drop column text',
  `alter table cars add column note text not null default ''`,
  'alter table cars alter column vin drop not null',
  'create index concurrently cars_by_note on cars (note)',
  'create function note() returns int language sql as $$ select 1 $$',
  `insert into notes values ('drop table cars')`,
  `alter table deliveries drop constraint kinds, add constraint kinds check (kind in ('a', 'b')) not valid`,
  'alter table deliveries validate constraint kinds',
  'alter table cars add column note text, add constraint short check (length(note) < 9) not valid',
  'create sequence notes; comment on table cars is null; grant select on cars to public',
])('accepts as compatible: %s', (statements) => {
  expect(unbearable(statements)).toEqual([])
})

test.each([
  'drop table cars',
  'alter table cars drop column vin',
  'alter table cars rename column vin to number',
  'alter table cars add column note text not null',
  'alter table cars add column note text unique',
  'alter table cars alter column vin set not null',
  'alter table cars alter column vin type text',
  'alter table cars add constraint short check (length(vin) < 9)',
  'alter table cars add column note text, add constraint short check (length(vin) < 9) not valid',
  'alter table cars drop constraint short, add constraint short check (length(vin) < 9)',
  'alter table cars disable trigger user',
  'create index cars_by_note on cars (note)',
  'create unique index concurrently cars_by_note on cars (note)',
  'create trigger guard before update on cars for each row execute function refuse_change()',
  'create or replace function keyturn_now() returns timestamptz language sql as $$ select now() $$',
  `update cars set vin = ''`,
  'delete from cars',
  'revoke select on cars from public',
  'lock table cars',
  'do $$ begin drop table cars; end $$',
  'create index concurrently cars_by_note on cars (note); create table notes ()',
])('rejects as incompatible: %s', (statements) => {
  expect(unbearable(statements)).toHaveLength(1)
})

// R-everywhere-54
test('ignores an unknown migration of kind `before`, but not one of kind `after`', () => {
  const known = ['0062-events.sql', '0063-notes.before.sql']
  expect(newestIncompatibleMigration([...known, '0064-more.before.sql'], known)).toBeUndefined()
  const further = [...known, '0064-more.after.sql', '0065-most.before.sql']
  expect(newestIncompatibleMigration(further, known)).toBe('0064-more.after.sql')
})

type Node = Record<string, unknown>

/** Returns the kind of each statement that is incompatible with older servers. */
function unbearable(statements: string): string[] {
  const made = new Set<unknown>()
  const parsed = (parseSync(statements) as { stmts?: { stmt: Node }[] }).stmts ?? []
  const faults = parsed.map(({ stmt }) => {
    const [[kind, body] = ['', {}]] = Object.entries(stmt) as [string, Node][]
    const table = (body.relation as Node | undefined)?.relname
    if (kind === 'CreateStmt') made.add(table)
    if (harmless.includes(kind) || made.has(table)) return null
    if (kind === 'AlterTableStmt')
      return faultOfChanges((body.cmds as Change[]).map((each) => each.AlterTableCmd))
    if (kind === 'CreateFunctionStmt') return body.replace ? kind : null
    if (kind === 'GrantStmt') return body.is_grant ? null : kind
    // The only statement, because it runs outside a transaction.
    if (kind === 'IndexStmt') return body.concurrent && !body.unique && parsed.length === 1 ? null : kind
    return kind
  })
  return faults.filter((fault) => fault !== null)
}

const harmless = ['CreateStmt', 'CreateSeqStmt', 'CreateEnumStmt', 'CommentStmt', 'InsertStmt', 'SelectStmt']

type Change = {
  AlterTableCmd: { subtype: string; name?: string; def?: { ColumnDef?: Node; Constraint?: Node } }
}

function faultOfChanges(changes: Change['AlterTableCmd'][]): string | null {
  const gone = changes.filter(({ subtype }) => subtype === 'AT_DropConstraint').map(({ name }) => name)
  const added = changes.flatMap(({ def }) => (def?.ColumnDef ? [String(def.ColumnDef.colname)] : []))
  const faults = changes.map(({ subtype, def }) => {
    if (borneChanges.includes(subtype)) return null
    // Both must be NOT VALID, so that existing rows are not scanned: a replacement, and a constraint
    // on new columns, which older servers leave empty.
    if (subtype === 'AT_AddConstraint' && def?.Constraint?.skip_validation) {
      const columns = columnsOf(def.Constraint)
      const isOnNewColumns = columns.length > 0 && columns.every((name) => added.includes(name))
      return isOnNewColumns || gone.includes(String(def.Constraint.conname)) ? null : subtype
    }
    return subtype === 'AT_AddColumn' && isBorne(def?.ColumnDef ?? {}) ? null : subtype
  })
  return faults.find(Boolean) ?? null
}

const columnsOf = (constraint: Node): string[] =>
  [...JSON.stringify(constraint).matchAll(/"ColumnRef":\{"fields":\[\{"String":\{"sval":"(\w+)"/g)].map(
    ([, name]) => String(name),
  )

const borneChanges = ['AT_DropNotNull', 'AT_ColumnDefault', 'AT_DropConstraint', 'AT_ValidateConstraint']

function isBorne({ constraints = [] }: Node): boolean {
  const kinds = (constraints as Node[]).map(({ Constraint }) => String((Constraint as Node).contype))
  const isFilled = !kinds.includes('CONSTR_NOTNULL') || kinds.includes('CONSTR_DEFAULT')
  return isFilled && kinds.every((kind) => borneConstraints.includes(kind))
}

const borneConstraints = ['CONSTR_NOTNULL', 'CONSTR_DEFAULT', 'CONSTR_NULL', 'CONSTR_CHECK', 'CONSTR_FOREIGN']
