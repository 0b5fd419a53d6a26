import { type House, homeOf, roomOf } from './house.ts'
import type { Node, Source } from './sources.ts'

/** Calls that are answered nowhere, in another room, or in more than one place. */
export function misplacedCalls(house: House): string[] {
  const answered = house.sources
    .filter(({ path }) => homeOf(path) === 'server')
    .flatMap((source) => source.nodes.flatMap((node) => answeredBy(source, node)))
  const defined = house.sources
    .filter(({ path }) => /^contract\/\w+\/([\w-]+\/)?calls\.ts$/.test(path))
    .flatMap((source) => source.nodes.flatMap((node) => definedBy(source, node)))
  const elsewhere = answered
    .filter(({ room, call }) => room !== roomOf(call))
    .map(({ path, call }) => `${path} -> ${call}`)
  const counted = defined
    .map((call) => ({ call, times: answered.filter((one) => one.call === call).length }))
    .filter(({ times }) => times !== 1)
    .map(({ call, times }) => `${call} -> answered ${times} times`)
  return [...elsewhere, ...counted]
}

type Answered = { path: string; room: string | undefined; call: string }

/** `answer(door, calls.addCar, ...)`, `answerSigned` of the same form, and the event stream, which registers its path itself. */
function answeredBy({ path, imports }: Source, node: Node): Answered[] {
  const named = callNamedBy(node)
  if (!named) return []
  const [object, name] = named
  const source = imports.find(
    ({ to, names }) =>
      /^contract\/\w+\/([\w-]+\/)?calls\.ts$/.test(to) &&
      names.some(({ there, here }) => there === '*' && here === object),
  )
  return source ? [{ path, room: roomOf(path), call: `${source.to}: ${name}` }] : []
}

function callNamedBy(node: Node): [string, string] | null {
  if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern' && node.init) {
    const takesPath = node.id.properties.some(
      (one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'path',
    )
    return takesPath ? memberOf(node.init) : null
  }
  if (
    node.type !== 'CallExpression' ||
    node.callee.type !== 'Identifier' ||
    !/^answer(Signed)?$/.test(node.callee.name)
  )
    return null
  return node.arguments[1] ? memberOf(node.arguments[1] as Node) : null
}

const memberOf = (node: Node): [string, string] | null =>
  node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.property.type === 'Identifier'
    ? [node.object.name, node.property.name]
    : null

/** `export const addCar = call('POST /cars/input', ...)`. */
function definedBy({ path }: Source, node: Node): string[] {
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return []
  const init = node.init
  const isCall =
    init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'call'
  return isCall ? [`${path}: ${node.id.name}`] : []
}
