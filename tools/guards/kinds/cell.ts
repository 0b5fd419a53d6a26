import type { Found, Kind } from '../guard.ts'
import { bare, isOfTypes, type Node, type Place, type Source, textOf } from '../source.ts'

/**
 * Each cell of each table of the rules is replaced by every other value of its column; a list loses each of its words
 * and gains one more; and what a row needs is dropped, inverted, and extended by what other rows need.
 */
export const cell: Kind = {
  name: 'cell',
  files: /^contract\/\w+\/([\w-]+\/)?(rules|stages|financing|tax|agreement)\.ts$|^server\/http\/who\.ts$/,
  find: (source) =>
    source.places
      .filter((place) => isInTable(place) && !isOfTypes(place))
      .flatMap((place) => changed(source, place)),
}

/** A value at the top level of a file, outside any function that computes. */
export function isInTable({ node, above }: Place): boolean {
  const inside = [node, ...above]
  const top = inside.at(-2)
  const declared =
    top?.type === 'VariableDeclaration' ||
    (top?.type === 'ExportNamedDeclaration' && top.declaration?.type === 'VariableDeclaration')
  if (!declared) return false
  const computing = inside.findLastIndex((one) => /Function/.test(one.type))
  // A function in a table is a cell itself; one with its own name is a rule.
  return computing < 0 || (computing === 0 && isCell(node, above))
}

function changed(source: Source, place: Place): Found[] {
  const { node, above } = place
  if (node.type === 'ArrowFunctionExpression')
    return ['true', 'false']
      .filter((value) => textOf(source, node.body) !== value)
      .map((value) => ({
        place,
        what: `${pathOf(source, place)}${textOf(source, node)} -> ${value}`,
        instead: `() => ${value}`,
      }))
  if (!isCell(node, above)) return []
  if (node.type === 'ArrayExpression') return wordsAdded(source, place)
  if (node.type === 'ObjectExpression') return entriesChanged(source, place)
  return otherValues(source, place).map((instead) => ({
    place,
    what: `${pathOf(source, place)}${textOf(source, node)} -> ${instead}`,
    instead,
  }))
}

/** A value of an object, a list or the declaration itself; a list of words is a cell, and so is each of its words. */
function isCell(node: Node, [parent]: readonly Node[]): boolean {
  if (!parent) return false
  if (parent.type === 'TSAsExpression' || parent.type === 'TSSatisfiesExpression')
    return node === parent.expression && node.type === 'ArrayExpression'
  if (parent.type === 'Property') return parent.value === node
  if (parent.type === 'VariableDeclarator')
    return parent.init === node && node.type !== 'ArrowFunctionExpression'
  return parent.type === 'ArrayExpression'
}

/** Other values that would fit in this place. */
function otherValues(source: Source, { node, above }: Place): string[] {
  const text = textOf(source, node)
  const gone = above[0]?.type === 'ArrayExpression' ? ['...[]'] : []
  if (node.type === 'Literal') {
    if (typeof node.value === 'number') return [String(node.value + 1), ...gone]
    if (typeof node.value === 'boolean') return [String(!node.value)]
    if (typeof node.value === 'string') return gone.length > 0 ? gone : neighborsOf(source, node, above)
    return []
  }
  // A span of time: `24 * hourMs`.
  if (node.type === 'BinaryExpression') return [`(${text}) * 2${/\dn\b/.test(text) ? 'n' : ''}`]
  if (node.type === 'Identifier' && above[0]?.type === 'VariableDeclarator') return [`${text} * 2`]
  if (node.type === 'CallExpression' && node.arguments.length === 1) return callWith(source, node)
  if (node.type === 'Identifier' && above[0]?.type === 'Property' && !above[0].shorthand)
    return isPredicate(source, node.name)
      ? [`() => ${isAlways(source, node.name) ? 'false' : 'true'}`]
      : [`(${text}) * 2`]
  return gone
}

/** `cents(10_000 * 100)`: the same call with another amount. */
function callWith(source: Source, node: Node): string[] {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'cents')
    return []
  const [amount] = node.arguments
  return amount ? [`cents((${textOf(source, amount)}) * 2)`] : []
}

/** The other words of the same column; if no two rows share a word, one of them is enough. */
function neighborsOf(source: Source, node: Node, [parent]: readonly Node[]): string[] {
  const own = textOf(source, node)
  const inColumn = parent?.type === 'Property' ? columnOf(source, textOf(source, parent.key)) : []
  const others = [...new Set(inColumn)].filter((word) => word !== own)
  const isKey = new Set(inColumn).size === inColumn.length
  return others.length > 0 ? others.slice(0, isKey ? 1 : undefined) : [own.replace(/^'/, "'not ")]
}

const columnOf = ({ text }: Source, name: string): string[] =>
  [...text.matchAll(new RegExp(`\\b${name}: ('[^'\\n]+')`, 'g'))].map(([, word = '']) => word)

/** For properties that only some rows have: `{ passed: false }` next to `{}`. */
function entriesChanged(source: Source, place: Place): Found[] {
  const { node, above } = place
  const [parent] = above
  if (node.type !== 'ObjectExpression' || parent?.type !== 'Property') return []
  const rows = source.places.flatMap(({ node: one, above: [other] }) =>
    one.type === 'ObjectExpression' && other?.type === 'Property' && isSameKey(source, other, parent)
      ? [entriesOf(source, one)]
      : [],
  )
  const own = entriesOf(source, node)
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const optional = names.filter((name) => rows.some((row) => !row.has(name)))
  return optional.flatMap((name) => {
    const others = new Map(own)
    others.delete(name)
    if (own.has(name))
      return [{ place, what: `${pathOf(source, place)}without ${name}`, instead: objectOf(others) }]
    const values = new Set(rows.flatMap((row) => row.get(name) ?? []))
    if (values.has('true') || values.has('false')) values.add('true').add('false')
    return [...values].map((value) => ({
      place,
      what: `${pathOf(source, place)}and ${name}: ${value}`,
      instead: objectOf(new Map([...own, [name, value]])),
    }))
  })
}

const isSameKey = (source: Source, one: { key: Node }, other: { key: Node }): boolean =>
  textOf(source, one.key) === textOf(source, other.key)

const entriesOf = (source: Source, node: Extract<Node, { type: 'ObjectExpression' }>): Map<string, string> =>
  new Map(
    node.properties.flatMap((one) =>
      one.type === 'Property' ? [[textOf(source, one.key), textOf(source, one.value)]] : [],
    ),
  )

const objectOf = (entries: ReadonlyMap<string, string>): string =>
  `{ ${[...entries].map(([name, value]) => `${name}: ${value}`).join(', ')} }`

/** Words from another list or column of the file that this one does not have. */
function wordsAdded(source: Source, place: Place): Found[] {
  const { node } = place
  if (node.type !== 'ArrayExpression') return []
  const words = node.elements.map((one) => (one?.type === 'Literal' ? one.raw : null))
  if (words.length === 0 || !words.every((word) => word?.startsWith("'"))) return []
  const missing = [...wordLists(source), ...wordColumns(source)]
    .filter((list) => words.some((word) => list.includes(word ?? '')))
    .flatMap((list) => list.filter((word) => !words.includes(word)))
  return [...new Set(missing)].map((word) => ({
    place,
    what: `${pathOf(source, place)}${textOf(source, node)} and ${word}`,
    instead: `[${[...words, word].join(', ')}]`,
  }))
}

function wordLists(source: Source): string[][] {
  return source.places.flatMap(({ node }) => {
    const list = bare(node)
    if (node !== list || list.type !== 'ArrayExpression') return []
    const words = list.elements.map((one) => (one?.type === 'Literal' ? (one.raw ?? '') : ''))
    return words.length > 1 && words.every((word) => word.startsWith("'")) ? [words] : []
  })
}

/** All words of each column whose values are words. */
function wordColumns(source: Source): string[][] {
  const named = source.places.flatMap(({ node }) =>
    node.type === 'Property' && node.value.type === 'Literal' && typeof node.value.value === 'string'
      ? [textOf(source, node.key)]
      : [],
  )
  return [...new Set(named)].map((name) => columnOf(source, name))
}

/** Its position in the table: `[3].from `. */
function pathOf(source: Source, { node, above }: Place): string {
  const steps: string[] = []
  let inner = node
  for (const one of above) {
    if (one.type === 'Property') steps.unshift(`.${textOf(source, one.key)}`)
    if (one.type === 'ArrayExpression')
      steps.unshift(`[${(one.elements as readonly (Node | null)[]).indexOf(inner)}]`)
    inner = one
  }
  return steps.length > 0 ? `${steps.join('')} ` : ''
}

const isPredicate = ({ text }: Source, name: string): boolean => new RegExp(`const ${name} = \\(`).test(text)
const isAlways = ({ text }: Source, name: string): boolean =>
  new RegExp(`const ${name} = \\(\\) => true`).test(text)
