import type { Found, Kind } from '../guard.ts'
import { isFunction } from '../marks.ts'
import { isOfTypes, type Node, type Place, type Source, textOf } from '../source.ts'

/** Functions that let through or refuse, and answer nothing, are named so. */
const demands = /^(takeT(urn|ry)|require|refuse|limit|lock)(?![a-z])|^takeTurnHere$/

/**
 * Each statement that only asks for something is left out: that a person is there, that a turn is left, that a version
 * is the newest. Where a limit is used in another way (several at once, or how long to wait), that use is left out.
 */
export const demand: Kind = {
  name: 'demand',
  files: /^server\/(accounts|app|cars|dealer-desk|deals|http|limits|mail|notifications|trades)\b/,
  find: (source) =>
    source.places.filter((place) => !isOfTypes(place)).flatMap((place) => leftOut(source, place)),
}

function leftOut(source: Source, place: Place): Found[] {
  const { node, above } = place
  if (node.type === 'ExpressionStatement') {
    const call = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression
    if (!demands.test(nameOfCall(call))) return []
    // Still a statement: it may stand alone behind an `if`.
    return [{ place, what: `without ${textOf(source, node)}`, instead: ';' }]
  }
  if (node.type === 'CallExpression' && nameOfCall(node) === 'waitFor' && namesLimit(source, node))
    return [{ place, what: `without ${textOf(source, node)}`, instead: '0' }]
  if (
    node.type === 'ObjectExpression' &&
    above[0]?.type === 'ArrayExpression' &&
    node.properties.some((one) => one.type === 'Property' && namesLimit(source, one.value))
  )
    return [{ place, what: `without ${textOf(source, node)}`, instead: '...[]' }]
  return []
}

function nameOfCall(node: Node): string {
  if (node.type !== 'CallExpression') return ''
  const { callee } = node
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name
    : ''
}

const namesLimit = (source: Source, node: Node): boolean => /\blimits\.\w+/.test(textOf(source, node))

/** Functions that throw a refusal, answer nothing, and are not named as what asks. */
export const unnamedDemands = (source: Source): string[] =>
  source.places.flatMap((place) => {
    const { node, above } = place
    if (node.type !== 'ThrowStatement' || !/[rR]efus|tooMany/.test(textOf(source, node))) return []
    const around = functionIn(above)
    const answers = source.places.some(
      (one) => one.node.type === 'ReturnStatement' && one.node.argument && functionIn(one.above) === around,
    )
    const name = around?.type === 'FunctionDeclaration' ? (around.id?.name ?? '') : ''
    return answers || !name || demands.test(name) ? [] : [`${source.path} ${name}`]
  })

const functionIn = (above: readonly Node[]): Node | undefined => above.find((one) => isFunction(one))
