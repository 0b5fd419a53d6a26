import type { Found, Kind } from '../guard.ts'
import { throws } from '../marks.ts'
import { isOfTypes, type Node, type Place, type Source, textOf } from '../source.ts'

/** Each `if (...) throw` no longer refuses; if it has several reasons, one reason at a time. */
export const refusal: Kind = {
  name: 'refusal',
  files: /^server\/(accounts|cars|dealer-desk|deals|http|limits|mail|notifications|trades|db\/page)\b/,
  find: (source) =>
    source.places
      .filter((place) => !isOfTypes(place))
      .flatMap((place): Found[] => {
        const { node, above } = place
        if (node.type !== 'IfStatement' || !throws(node.consequent)) return []
        return reasonsIn({ node: node.test, above: [node, ...above] }).map((reason) => ({
          place: reason,
          what: saying(source, reason, node.consequent),
          instead: 'false',
        }))
      }),
}

/** The operands of `||`. */
function reasonsIn({ node, above }: Place): Place[] {
  if (node.type === 'ParenthesizedExpression')
    return reasonsIn({ node: node.expression, above: [node, ...above] })
  if (node.type !== 'LogicalExpression' || node.operator !== '||') return [{ node, above }]
  const inside = [node, ...above]
  return [...reasonsIn({ node: node.left, above: inside }), ...reasonsIn({ node: node.right, above: inside })]
}

function saying(source: Source, { node }: Place, consequent: Node): string {
  const [, code = 'Error'] = /[rR]efus\w*\.(\w+)/.exec(textOf(source, consequent)) ?? []
  return `${code} in spite of ${textOf(source, node)}`
}
