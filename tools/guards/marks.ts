import { type Node, nameAround, type Place, type Source } from './source.ts'

/** A function of the product, by a name that outlives moved lines. */
export type Function = { name: string; place: Place; body: Node }

/** Every function of a file, outer ones first. */
export function functionsOf(source: Source): Function[] {
  const counts = new Map<string, number>()
  return source.places.flatMap((place): Function[] => {
    const { node } = place
    if (!isFunction(node) || !node.body) return []
    const within = nameAround(place)
    const count = (counts.get(within) ?? 0) + 1
    counts.set(within, count)
    return [{ name: `${source.path} ${within}:${count}`, place, body: node.body }]
  })
}

export const isFunction = (
  node: Node,
): node is Extract<
  Node,
  { type: 'ArrowFunctionExpression' | 'FunctionDeclaration' | 'FunctionExpression' }
> =>
  node.type === 'ArrowFunctionExpression' ||
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression'

/** The innermost function around a position. */
export const functionAt = (source: Source, offset: number): Function | null =>
  functionsOf(source).findLast(({ place: { node } }) => node.start <= offset && offset < node.end) ?? null

/** Each `if` that throws, by a name of the same kind. */
function refusalsOf(source: Source): { name: string; place: Place; consequent: Node }[] {
  const counts = new Map<string, number>()
  return source.places.flatMap((place) => {
    const { node } = place
    if (node.type !== 'IfStatement' || !throws(node.consequent)) return []
    const within = nameAround(place)
    const count = (counts.get(within) ?? 0) + 1
    counts.set(within, count)
    return [{ name: `${source.path} ${within}: refused ${count}`, place, consequent: node.consequent }]
  })
}

export const throws = (node: Node): boolean =>
  node.type === 'ThrowStatement' || (node.type === 'BlockStatement' && node.body.some(throws))

/** The `if` whose condition a position stands in. */
export const refusalAt = (source: Source, offset: number): string | null =>
  refusalsOf(source).findLast(
    ({ place: { node }, consequent }) => node.start <= offset && offset < consequent.start,
  )?.name ?? null

/** The text of a file that notes which functions were called, and which refusals were thrown. Lines stay where they are. */
export function marked(source: Source): string {
  const note = (name: string) => `globalThis.reached?.add(${JSON.stringify(name)})`
  const ofFunctions = functionsOf(source).flatMap(({ name, body }) =>
    body.type === 'BlockStatement'
      ? [{ at: body.start + 1, text: `${note(name)};` }]
      : [
          { at: body.start, text: `(${note(name)}, ` },
          { at: body.end, text: ')' },
        ],
  )
  const ofRefusals = refusalsOf(source).flatMap(({ name, consequent }) => [
    { at: consequent.start, text: `{${note(name)};` },
    { at: consequent.end, text: '}' },
  ])
  // What stands at one place keeps its order: the mark of the outer function first.
  return [...ofFunctions, ...ofRefusals]
    .map((one, order) => ({ ...one, order }))
    .sort((one, other) => other.at - one.at || other.order - one.order)
    .reduce((sum, { at, text }) => sum.slice(0, at) + text + sum.slice(at), source.text)
}
