import { dirname, join, normalize } from 'node:path'
import { functionsOf, isFunction } from './marks.ts'
import {
  isProduct,
  type Node,
  nameAround,
  type Place,
  productFiles,
  readSource,
  type Source,
} from './source.ts'

/**
 * Who uses what a file declares: a function by its name, or another declaration at the top of a file. A query is built
 * when it is first asked, once for all that ask it later.
 */
type User = { path: string; within: string; called: string | null; isQuery: boolean }

/**
 * The functions that use the declaration around a position, directly or through other declarations, such as a table
 * through the list that it stands in. If the declaration is itself a function its own calls are known, but for those
 * that build a query.
 */
export function usersOf(path: string, offset: number): Set<string> {
  const source = readSource(path)
  const place = source.places.findLast(({ node }) => node.start <= offset && offset < node.end)
  const within = place ? nameAround(place) : ''
  const found = new Set<string>()
  const seen = new Set<string>()
  const visit = (of: string, name: string) => {
    if (seen.has(`${of} ${name}`)) return
    seen.add(`${of} ${name}`)
    const ofFunction = isFunctionNamed(of, name)
    for (const user of usesOf().get(`${of} ${name}`) ?? []) {
      if (user.called && !ofFunction) found.add(user.called)
      const isCalled = isFunctionNamed(user.path, user.within)
      if (isCalled || user.isQuery || !ofFunction) visit(user.path, user.within)
    }
  }
  visit(path, within)
  return found
}

let uses: Map<string, User[]> | undefined
const functionNames = new Set<string>()
const isFunctionNamed = (path: string, name: string): boolean => {
  usesOf()
  return functionNames.has(`${path} ${name}`)
}

/** By declaration, from all files of the product. */
function usesOf(): Map<string, User[]> {
  if (uses) return uses
  uses = new Map()
  for (const path of productFiles(/./)) lookThrough(readSource(path), uses)
  return uses
}

function lookThrough(source: Source, found: Map<string, User[]>): void {
  const { path, places } = source
  const names = new Map(functionsOf(source).map(({ place, name }) => [place.node, name]))
  const imported = importsOf(source)
  const declared = new Set(places.filter(isTop).map(nameAround))
  for (const place of places) {
    const { node, above } = place
    if (isTop(place) && declaresFunction(node)) functionNames.add(`${path} ${nameAround(place)}`)
    if (node.type !== 'Identifier' || isNameOfProperty(place) || /^(Im|Ex)port/.test(above[0]?.type ?? ''))
      continue
    const [of, name] = imported.get(node.name) ?? (declared.has(node.name) ? [path, node.name] : [])
    if (!of || !name) continue
    const target = `${of} ${name === '*' ? memberOf(place) : name}`
    const inside = above.find((one) => names.has(one))
    const user: User = {
      path,
      within: nameAround(place),
      called: inside ? (names.get(inside) ?? null) : null,
      isQuery: above.some(isPrepared),
    }
    if (`${path} ${user.within}` === target) continue
    found.set(target, [...(found.get(target) ?? []), user])
  }
}

const isPrepared = (node: Node): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'prepared'

/** `store.findCar`, where `store` is all that a file exports. */
const memberOf = ({ above: [parent] }: Place): string =>
  parent?.type === 'MemberExpression' && parent.property.type === 'Identifier' ? parent.property.name : '*'

/** A declaration that stands in no other one. */
const isTop = ({ node, above }: Place): boolean =>
  (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration') &&
  !above.some((one) => isFunction(one) || one.type === 'VariableDeclarator')

const declaresFunction = (node: Node): boolean =>
  node.type === 'FunctionDeclaration' ||
  (node.type === 'VariableDeclarator' && node.init !== null && isFunction(node.init))

const isNameOfProperty = ({ node, above: [parent] }: Place): boolean =>
  (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
  (parent?.type === 'Property' && parent.key === node && !parent.shorthand)

/** Local names of what a file imports from the product, with where it is declared. */
function importsOf({ path, places }: Source): Map<string, readonly [path: string, name: string]> {
  const found = new Map<string, readonly [string, string]>()
  for (const { node } of places) {
    if (node.type !== 'ImportDeclaration') continue
    const from = resolved(path, node.source.value)
    for (const one of node.specifiers)
      if (one.type === 'ImportSpecifier' && one.imported.type === 'Identifier')
        found.set(one.local.name, declarerOf(from, one.imported.name))
      else if (one.type === 'ImportNamespaceSpecifier') found.set(one.local.name, [from, '*'])
  }
  return found
}

/** Follows `export { name } from`. */
function declarerOf(path: string, name: string): readonly [path: string, name: string] {
  if (!isProduct(path)) return [path, name]
  for (const { node } of readSource(path).places)
    if (node.type === 'ExportNamedDeclaration' && node.source)
      for (const { exported, local } of node.specifiers)
        if (exported.type === 'Identifier' && local.type === 'Identifier' && exported.name === name)
          return declarerOf(resolved(path, node.source.value), local.name)
  return [path, name]
}

const resolved = (path: string, from: string): string =>
  from.startsWith('.') ? normalize(join(dirname(path), from)) : from.replace(/^@keyturn\//, '')
