import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type ESTree, parseAst } from 'vite'

/** File contents by path from the root. */
export type Tree = ReadonlyMap<string, string>

/** `names`: what is imported, by its name there and its name here; `*` is everything. */
export type Import = {
  from: string
  to: string
  typeOnly: boolean
  names: readonly { there: string; here: string }[]
}

export type Source = {
  path: string
  text: string
  nodes: readonly Node[]
  imports: readonly Import[]
  /** Imports with a computed path, which cannot be checked. */
  unreadable: readonly string[]
}

export type Node = ESTree.Node

const homes = ['contract', 'server', 'web', 'tools', 'e2e']

export function readTree(root: string): Tree {
  const paths = homes.flatMap((home) =>
    readdirSync(join(root, home), { recursive: true, encoding: 'utf8' }).map((path) =>
      posix.join(home, slashed(path)),
    ),
  )
  return new Map(
    paths.filter(isSource).map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  )
}

const slashed = (path: string) => path.replaceAll('\\', '/')
const isSource = (path: string) => /\.(tsx?|mjs)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path)

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)

export function sourceOf(path: string, text: string): Source {
  const program = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts' })
  const nodes = [...nodesIn(program as Node)]
  const found = nodes.flatMap((node) => importsOf(path, text, node))
  return {
    path,
    text,
    nodes,
    imports: found.filter((one): one is Import => typeof one !== 'string'),
    unreadable: found.filter((one) => typeof one === 'string'),
  }
}

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Every way in which a module can name another one; type imports count too. */
function importsOf(path: string, text: string, node: Node): (Import | string)[] {
  const one = (to: string, typeOnly: boolean, names: Import['names'] = [everything]): Import => ({
    from: path,
    to: targetOf(path, to),
    typeOnly,
    names,
  })
  switch (node.type) {
    case 'ImportDeclaration': {
      const kinds = node.specifiers.map((specifier) =>
        specifier.type === 'ImportSpecifier' ? specifier.importKind : 'value',
      )
      const typeOnly =
        node.importKind === 'type' || (kinds.length > 0 && kinds.every((kind) => kind === 'type'))
      return [one(node.source.value, typeOnly, node.specifiers.map(namesOf))]
    }
    case 'ExportAllDeclaration':
      return [one(node.source.value, node.exportKind === 'type')]
    case 'ExportNamedDeclaration':
      return node.source ? [one(node.source.value, node.exportKind === 'type')] : []
    case 'ImportExpression':
      return [addressed(node.source, (to) => one(to, false))]
    case 'TSImportType':
      return [one(node.source.value, true)]
    case 'TSExternalModuleReference':
      return [one(node.expression.value, false)]
    case 'NewExpression':
      return isModuleAddress(text, node) ? [addressed(node.arguments[0] as Node, (to) => one(to, false))] : []
    default:
      return []
  }

  function addressed(source: Node, found: (to: string) => Import): Import | string {
    if (source.type === 'Literal' && typeof source.value === 'string') return found(source.value)
    if (source.type === 'TemplateLiteral' && source.expressions.length === 0)
      return found(source.quasis[0]?.value.cooked ?? '')
    return `${path}: ${text.slice(node.start, node.end)}`
  }
}

const everything = { there: '*', here: '*' }

/** `new URL('./worker.ts', import.meta.url)` names a worker thread's file. */
const isModuleAddress = (text: string, node: ESTree.NewExpression): boolean =>
  /^new URL\(\s*['"`][^'"`]*\.tsx?['"`],\s*import\.meta\.url/.test(text.slice(node.start, node.end))

function namesOf(specifier: ESTree.ImportDeclarationSpecifier): { there: string; here: string } {
  const here = specifier.local.name
  if (specifier.type === 'ImportDefaultSpecifier') return { there: 'default', here }
  if (specifier.type === 'ImportNamespaceSpecifier') return { there: '*', here }
  const { imported } = specifier
  return { there: imported.type === 'Identifier' ? imported.name : String(imported.value), here }
}

function targetOf(from: string, to: string): string {
  if (to.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), to))
  return to.replace(/^@keyturn\//, '')
}
