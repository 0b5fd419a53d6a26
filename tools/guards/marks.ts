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

/** The text of a file whose functions each note that they were called. Lines stay where they are. */
export function marked(source: Source): string {
  const inserted = functionsOf(source).flatMap(({ name, body }) => {
    const note = `globalThis.reached?.add(${JSON.stringify(name)})`
    return body.type === 'BlockStatement'
      ? [{ at: body.start + 1, text: `${note};` }]
      : [
          { at: body.start, text: `(${note}, ` },
          { at: body.end, text: ')' },
        ]
  })
  // What stands at one place keeps its order: the mark of the outer function first.
  return inserted
    .map((one, order) => ({ ...one, order }))
    .sort((one, other) => other.at - one.at || other.order - one.order)
    .reduce((sum, { at, text }) => sum.slice(0, at) + text + sum.slice(at), source.text)
}
