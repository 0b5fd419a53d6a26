import type { Found, Kind } from '../guard.ts'
import { isOfTypes, type Node, type Place, type Source, textOf } from '../source.ts'
import { isInTable } from './cell.ts'

/** Rules outside a table: each comparison, `&&`, `||`, `if` and `?` is inverted in turn. */
export const rule: Kind = {
  name: 'rule',
  files:
    /^contract\/\w+\/([\w-]+\/)?(rules|stages|financing|tax)\.ts$|^contract\/deals\/verification\/checks\.ts$|^contract\/deals\/sealed-pdf\.ts$|^contract\/kit\/(signed-note|cms|der)\.ts$|^server\/http\/(who|cross-site|body)\.ts$|^server\/accounts\/sessions\/(rotation|step-up)\.ts$/,
  find: (source) =>
    source.places
      .filter((place) => !isOfTypes(place) && !isInTable(place))
      .flatMap((place) => turned(source, place)),
}

const other: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
}

function turned(source: Source, place: Place): Found[] {
  const { node, above } = place
  if (node.type === 'BinaryExpression' && other[node.operator]) {
    const instead = `${textOf(source, node.left)} ${other[node.operator]} ${textOf(source, node.right)}`
    return [{ place, what: `${textOf(source, node)} -> ${other[node.operator]}`, instead }]
  }
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    const value = node.operator === '&&' ? 'true' : 'false'
    return (
      [node.left, node.right]
        // A default for a missing value decides nothing.
        .filter((side) => side.type !== 'LogicalExpression' && side.type !== 'Literal')
        .map((side) => ({
          place: { node: side, above: [node, ...above] },
          what: `${textOf(source, side)} -> ${value}`,
          instead: value,
        }))
    )
  }
  if ((node.type === 'IfStatement' || node.type === 'ConditionalExpression') && isSingle(node.test))
    return ['true', 'false'].map((value) => ({
      place: { node: node.test, above: [node, ...above] },
      what: `${textOf(source, node.test)} -> ${value}`,
      instead: value,
    }))
  return []
}

/** Comparisons are inverted separately. */
const isSingle = ({ type }: Node): boolean => type !== 'LogicalExpression' && type !== 'BinaryExpression'
