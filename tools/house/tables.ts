import { posix } from 'node:path'
import { type House, homeOf, isAssembler, isTables } from './house.ts'
import { ownersWithoutView } from './known.ts'
import type { Node, Source } from './sources.ts'

/** For each table, the server folder that owns it. */
function ownersOf({ sources }: House): Map<string, string> {
  const owners = new Map(Object.entries(ownersWithoutView))
  for (const { path, text } of sources.filter((source) => isTables(source.path))) {
    const prefixes = /\$\{\w+\}/.test(text) ? ['', 'admin_'] : ['']
    for (const [, name = ''] of text.matchAll(/pgTable\(\s*['`](?:\$\{\w+\})?(\w+)['`]/g))
      for (const prefix of prefixes) owners.set(prefix + name, posix.dirname(path))
  }
  return owners
}

const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** Writes by the query builder, whatever the table is called in this file, or by raw SQL. */
export function foreignWrites(house: House): string[] {
  const owners = ownersOf(house)
  return onServer(house).flatMap((source) => {
    const aliases = foreignTables(source)
    const built = source.nodes.flatMap((node) => {
      const alias = writtenBy(node)
      return alias === null ? [] : (aliases.get(alias) ?? [])
    })
    const inText = sqlIn(source).flatMap((text) => [
      ...namedAfter(/insert into|update|delete from/, text).filter((table) =>
        isForeign(source, table, owners),
      ),
      ...aliasesAfter(/insert into|update|delete from/, text).flatMap((alias) => aliases.get(alias) ?? []),
    ])
    return [...new Set([...built, ...inText])].map((table) => `${source.path} -> ${table}`)
  })
}

/** Other rooms' tables named in SQL text, where no import reveals them. */
export function foreignNames(house: House): string[] {
  const owners = ownersOf(house)
  return onServer(house).flatMap((source) => {
    const named = sqlIn(source).flatMap((text) => namedAfter(/(?<!delete )from|join/, text))
    const imported = source.imports.map(({ to }) => to)
    const unseen = named.filter(
      (table) => isForeign(source, table, owners) && !imported.includes(`${owners.get(table)}/tables.ts`),
    )
    return [...new Set(unseen)].map((table) => `${source.path} -> ${table}`)
  })
}

const onServer = ({ sources }: House): readonly Source[] =>
  sources.filter(({ path }) => homeOf(path) === 'server' && !isAssembler(path))

const isForeign = ({ path }: Source, table: string, owners: Map<string, string>): boolean => {
  const owner = owners.get(table)
  return owner !== undefined && owner !== folderOf(path)
}

/** Local names of other rooms' tables: `cars as theirs`, `tables.cars`, `const { sessions } = userSessionTables`. */
function foreignTables(source: Source): Map<string, string> {
  const found = new Map<string, string>()
  for (const { to, names } of source.imports)
    if (isTables(to) && folderOf(to) !== folderOf(source.path))
      for (const { there, here } of names) found.set(here, there === '*' ? here : there)
  for (const node of source.nodes)
    if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern') {
      const init = node.init && rootOf(node.init)
      for (const property of init && found.has(init) ? node.id.properties : [])
        if (property.type === 'Property' && property.value.type === 'Identifier')
          found.set(property.value.name, property.value.name)
    }
  return found
}

/** The first argument of `db.insert(cars)`. */
function writtenBy(node: Node): string | null {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null
  const { property } = node.callee
  const [written] = node.arguments
  if (property.type !== 'Identifier' || !written) return null
  return ['insert', 'update', 'delete'].includes(property.name) ? rootOf(written as Node) : null
}

function rootOf(node: Node): string | null {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' ? rootOf(node.object) : null
}

const sqlIn = ({ nodes, text }: Source): string[] =>
  nodes
    .filter(
      (node) =>
        node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string'),
    )
    .map(({ start, end }) => text.slice(start, end))

const after = (words: RegExp, name: string) => new RegExp(`\\b(?:${words.source})\\s+${name}`, 'g')
const namedAfter = (words: RegExp, text: string): string[] =>
  [...text.matchAll(after(words, '"?(?:\\$\\{\\w+\\})?(\\w+)'))].map(([, table = '']) => table)
const aliasesAfter = (words: RegExp, text: string): string[] =>
  [...text.matchAll(after(words, '\\$\\{(\\w+)[^}]*\\}'))].map(([, alias = '']) => alias)
