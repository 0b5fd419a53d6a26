import type { Found, Kind } from '../guard.ts'
import { isOfTypes, type Node, type Place, type Source, textOf } from '../source.ts'

/** Names of numbers that bound what one person may ask for, or for how long. */
const bounds =
  /^(most|max|limit|slowFrom|deepest|longest|bodyLimit|maxParamLength|requestTimeout|headersTimeout|seconds)|(Most|Limit|Deepest|Longest)$/

/** Each limit is made a million times wider: rates, lengths, sizes, and what a form accepts. */
export const limit: Kind = {
  name: 'limit',
  files:
    /^server\/(accounts|cars|deals|http|mail|notifications|trades|outside|db\/page|app|limits\/(throttle|tries|counted|call-limits))|^contract\/(kit\/fields|(?!kit)\w+\/([\w-]+\/)?[\w-]+)\.ts$/,
  find: (source) =>
    source.places.filter((place) => !isOfTypes(place)).flatMap((place) => wider(source, place)),
}

function wider(source: Source, place: Place): Found[] {
  const { node } = place
  if (node.type === 'CallExpression') return ofCall(source, place)
  if (
    node.type === 'VariableDeclarator' &&
    node.id.type === 'Identifier' &&
    node.init &&
    bounds.test(node.id.name)
  )
    return aMillionTimes(source, place, node.init, node.id.name)
  if (
    node.type === 'Property' &&
    !node.shorthand &&
    node.key.type === 'Identifier' &&
    bounds.test(node.key.name)
  )
    return aMillionTimes(source, place, node.value, node.key.name)
  if (node.type !== 'BinaryExpression' || !/^[<>]=?$/.test(node.operator) || !isSize(source, node.left))
    return []
  // A minimum becomes zero.
  if (isField(source) && node.operator === '>=')
    return [
      {
        place: { node: node.right, above: [node, ...place.above] },
        what: `without ${textOf(source, node)}`,
        instead: '0',
      },
    ]
  return aMillionTimes(source, place, node.right, `${textOf(source, node.left)} ${node.operator}`)
}

/** `limit('register-ip', 5, hourMs)`, and `.max(255)`, `.min(8)`, `.regex(...)` of a field. */
function ofCall(source: Source, place: Place): Found[] {
  const { node } = place
  if (node.type !== 'CallExpression') return []
  const { callee, arguments: given } = node
  if (callee.type === 'Identifier' && callee.name === 'limit')
    return [1, 3].flatMap((index) => {
      const number = given[index]
      return number ? aMillionTimes(source, place, number, textOf(source, node)) : []
    })
  if (callee.type === 'Identifier' && /^(aMinute|anHour)$/.test(callee.name) && given[0])
    return aMillionTimes(source, place, given[0], `${keyAround(source, place)}${textOf(source, node)}`)
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || !given[0]) return []
  // These methods are limits only on fields.
  if (!isField(source) || textOf(source, callee.object) === 'Math') return []
  const what = `without .${callee.property.name}(${textOf(source, given[0])})`
  if (callee.property.name === 'max')
    return aMillionTimes(source, place, given[0], `.max(${textOf(source, given[0])})`)
  if (callee.property.name === 'min') {
    const below = { node: given[0], above: [node, ...place.above] }
    return [{ place: below, what, instead: '-1_000_000_000' }]
  }
  if (callee.property.name === 'regex')
    return [{ place: { node: given[0], above: [node, ...place.above] }, what, instead: '/(?:)/' }]
  return []
}

/** The call that a limit belongs to. */
function keyAround(source: Source, { above }: Place): string {
  const row = above.find((one) => one.type === 'Property')
  return row?.type === 'Property' ? `${textOf(source, row.key)} ` : ''
}

const isField = ({ path }: Source): boolean => path.startsWith('contract/')

const isSize = (source: Source, node: Node): boolean => /\.length$/.test(textOf(source, node))

function aMillionTimes(source: Source, { node, above }: Place, number: Node, name: string): Found[] {
  const text = textOf(source, number)
  if (!isNumber(number) || text === '0') return []
  const what = `${name} ${name.includes(text) ? '' : `${text} `}a million times wider`
  return [{ place: { node: number, above: [node, ...above] }, what, instead: `(${text}) * 1_000_000` }]
}

function isNumber(node: Node): boolean {
  if (node.type === 'Literal') return typeof node.value === 'number'
  if (node.type === 'Identifier') return /^[a-z]\w*$/.test(node.name) && /most|max|longest/i.test(node.name)
  // `drawingLimits.characters`
  if (node.type === 'MemberExpression')
    return node.object.type === 'Identifier' && /Limits$/.test(node.object.name)
  return node.type === 'BinaryExpression' && isNumber(node.left) && isNumber(node.right)
}
