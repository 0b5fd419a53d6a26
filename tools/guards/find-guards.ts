import { type ESTree, parseAst } from 'vite'

/** A permission check in the source, and its replacement that disables it. */
export type Guard = {
  kind: 'callers' | 'owner' | 'row'
  line: number
  text: string
  start: number
  end: number
  replacement: string
}

type Node = ESTree.Node
type Cut = Pick<Guard, 'kind' | 'replacement'> & { start: number; end: number }

/** The next wider group of callers. */
const wider: Record<string, string> = {
  signedIn: 'anyone',
  verified: 'signedIn',
  trader: 'verified',
  wholesaler: 'verified',
  administrator: 'signedIn',
  partner: 'anyone',
}
const owners = 'seller|buyer|owner|user|recipient|sender|person|signer|reporter|dealer'
const ownerInQuery = new RegExp(`\\.(?:(?:${owners})Id|owner)\\b`)
const ownerInSql = new RegExp(
  `(?:\\$\\{\\w+\\.(?:${owners})Id\\}|(?:\\w+\\.)?(?:${owners})_id) = (?:\\$\\{[^}]+\\}|\\$\\d+)`,
  'g',
)
const rules = /\/(rules|stages|financing|next-steps|transitions)\.ts$/

/** Finds callers of endpoints, owner conditions of queries, and rows of rule tables. */
export function findGuards(path: string, source: string): Guard[] {
  const program = parseAst(source, { lang: 'ts' }) as Node
  return [...nodesIn(program)]
    .flatMap((node) => [
      ...callersOf(node),
      ...ownersIn(node, source),
      ...(rules.test(path) ? rowsOf(node, source) : []),
    ])
    .map((cut) => ({
      ...cut,
      line: source.slice(0, cut.start).split('\n').length,
      text: source.slice(cut.start, cut.end).replace(/\s+/g, ' ').slice(0, 100),
    }))
}

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && 'type' in child && 'start' in child)
        yield* nodesIn(child as Node)
}

function callersOf(node: Node): Cut[] {
  if (node.type !== 'Property' || node.key.type !== 'Identifier' || node.key.name !== 'callers') return []
  if (node.value.type !== 'ArrayExpression') return []
  return node.value.elements.flatMap((caller) => {
    const next = caller?.type === 'Literal' && wider[String(caller.value)]
    return caller && next ? [{ kind: 'callers', ...rangeOf(caller), replacement: `'${next}'` }] : []
  })
}

/** Finds conditions of the query builder and comparisons in SQL that check a row's owner. */
function ownersIn(node: Node, source: string): Cut[] {
  if (node.type === 'CallExpression') {
    const callee = source.slice(node.callee.start, node.callee.end)
    const conditions =
      callee === 'and' ? node.arguments : callee.endsWith('.where') ? node.arguments.slice(0, 1) : []
    return conditions
      .filter(
        ({ type, start, end }) =>
          type === 'CallExpression' && /^(eq|inArray)\(/.test(source.slice(start, end)),
      )
      .filter(({ start, end }) => ownerInQuery.test(source.slice(start, end)))
      .map((condition) => ({ kind: 'owner', ...rangeOf(condition), replacement: 'undefined' }))
  }
  if (node.type !== 'TemplateLiteral') return []
  return [...source.slice(node.start, node.end).matchAll(ownerInSql)].map(({ 0: text, index }) => {
    const start = node.start + index
    return { kind: 'owner', start, end: start + text.length, replacement: 'true' }
  })
}

/** Returns each entry of a top-level list or table. */
function rowsOf(node: Node, source: string): Cut[] {
  if (node.type !== 'VariableDeclarator' || !node.init) return []
  const table = unwrap(node.init)
  const rows =
    table.type === 'ArrayExpression'
      ? table.elements
      : table.type === 'ObjectExpression'
        ? table.properties
        : []
  return rows.flatMap((row) => {
    if (!row) return []
    const end = row.end + (/^\s*,/.exec(source.slice(row.end))?.[0].length ?? 0)
    return [{ kind: 'row', start: row.start, end, replacement: '' }]
  })
}

const unwrap = (node: Node): Node =>
  node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? unwrap(node.expression) : node

const rangeOf = ({ start, end }: Node) => ({ start, end })
