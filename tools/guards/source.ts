import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ESTree, parseAst } from 'vite'

export const root = resolve(import.meta.dirname, '../..')

export type Node = ESTree.Node
/** A node with its ancestors, nearest first. */
export type Place = { node: Node; above: readonly Node[] }
export type Source = { path: string; text: string; places: readonly Place[] }

/** Files of the product below these folders, without tests and what only tests and tools use. */
export function productFiles(pattern: RegExp): string[] {
  return ['contract', 'server']
    .flatMap((home) =>
      readdirSync(join(root, home), { recursive: true, encoding: 'utf8' }).map((path) => `${home}/${path}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => isProduct(path) && pattern.test(path))
    .sort()
}

export const isProduct = (path: string): boolean =>
  /^(contract|server)\/.*\.ts$/.test(path) &&
  !/\.test\.ts$|\.d\.ts$|node_modules|^server\/(test|bench|faults)\//.test(path)

const known = new Map<string, Source>()
export function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const kept = known.get(path)
  if (kept?.text === text) return kept
  const source = sourceOf(path, text)
  known.set(path, source)
  return source
}

export function sourceOf(path: string, text: string): Source {
  const program = parseAst(text, { lang: 'ts' })
  return { path, text, places: [...placesIn(program as Node, [])] }
}

/** Throws if a change has produced invalid TypeScript. */
export const assertReadable = (text: string): void => void parseAst(text, { lang: 'ts' })

function* placesIn(node: Node, above: readonly Node[]): Generator<Place> {
  yield { node, above }
  const inside = [node, ...above]
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* placesIn(child, inside)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

export const textOf = ({ text }: Source, { start, end }: { start: number; end: number }): string =>
  text.slice(start, end)

/** Text as one short line. */
export function inShort(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 110 ? `${line.slice(0, 107)}...` : line
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Rows and columns count from 1, as compilers report them. */
export function offsetOf(text: string, row: number, column: number): number {
  const before = text.split('\n').slice(0, row - 1)
  return before.reduce((sum, line) => sum + line.length + 1, 0) + column - 1
}

/** The name of the top-level declaration around a place, such as `lockDealOf` or `limits`. */
export function nameAround({ node, above }: Place): string {
  for (const one of [node, ...above].reverse()) {
    if (one.type === 'VariableDeclarator' && one.id.type === 'Identifier') return one.id.name
    if (one.type === 'FunctionDeclaration' && one.id) return one.id.name
  }
  return 'the file'
}

/** Types have no effect at run time. */
export const isOfTypes = ({ above }: Place): boolean =>
  above.some((one) => one.type.startsWith('TS') && !transparent.has(one.type))

const transparent = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

/** The expression without `as const`, `satisfies` and parentheses. */
export function bare(node: Node): Node {
  if (
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression' ||
    node.type === 'TSNonNullExpression' ||
    node.type === 'ParenthesizedExpression'
  )
    return bare(node.expression)
  return node
}
