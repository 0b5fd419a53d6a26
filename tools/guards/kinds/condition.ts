import type { Found, Kind } from '../guard.ts'
import { bare, inShort, isOfTypes, type Node, type Place, type Source, textOf } from '../source.ts'
import { conjunctsOf } from '../sql.ts'

/** Conditions that only say which row is meant; without them everything fails, so removing them shows nothing. */
const names = new Set(
  'id carId dealId tradeId notificationId aboutId sessionId packageId vin hash refreshHash bucket email key name parent_hash trade_id deal_id car_id notification_id session_id'.split(
    ' ',
  ),
)

/**
 * Every condition of every query, in the query builder or in raw SQL, is left out in turn. A boolean column in an
 * answer is replaced by true, and then by false.
 */
export const condition: Kind = {
  name: 'condition',
  files: /^server\/(?!test\/|bench\/|embedded-postgres\/|seed|db\/(?!page|open)|main\.ts|config\.ts)/,
  find: (source) =>
    source.places.filter((place) => !isOfTypes(place)).flatMap((place) => inPlace(source, place)),
}

/** Conditions that are left alone because they only name the row. */
function namesRow(text: string): boolean {
  const [, built, written] = /^eq\((?:\w+\.)*(\w+),|^(?:\$\{)?(?:\w+\.)*(\w+)\}? = /.exec(text) ?? []
  return names.has(built ?? written ?? '')
}

/** Text that looks like a condition of a query but was not recognized as one; there should be none. */
export const unreadSql = (source: Source): string[] =>
  source.places.flatMap((place) => {
    const { node } = place
    const isText =
      node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
    if (!isText || isOfTypes(place)) return []
    const sql = textOf(source, node).slice(1, -1)
    return /\bwhere\b[\s\S]*(=|<|>|is (not )?null)/.test(sql) && !isInQuery(place, sql)
      ? [`${source.path}: ${inShort(sql)}`]
      : []
  })

function inPlace(source: Source, place: Place): Found[] {
  const { node } = place
  if (node.type === 'TemplateLiteral') return inSql(source, place, filled(source, node), node.start + 1)
  if (node.type === 'Literal' && typeof node.value === 'string' && /\bwhere\b/.test(node.value))
    return inSql(source, place, textOf(source, node).slice(1, -1), node.start + 1)
  if (node.type === 'TaggedTemplateExpression') return inAnswer(source, place)
  if (node.type === 'CallExpression') return inBuilder(source, place)
  if (node.type === 'Property') return inProperty(source, place)
  return []
}

/** Each argument of `and(...)`, and a single condition in `.where(...)`. */
function inBuilder(source: Source, { node, above }: Place): Found[] {
  if (node.type !== 'CallExpression') return []
  const { callee } = node
  const isAnd = callee.type === 'Identifier' && callee.name === 'and'
  const isWhere =
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'where'
  if (!isAnd && !isWhere) return []
  const given = isWhere ? node.arguments.slice(0, 1) : node.arguments
  return given.flatMap((one) => leftOut(source, { node: one, above: [node, ...above] }))
}

/** Named conditions, one for each kind of reader. */
function inProperty(source: Source, { node, above }: Place): Found[] {
  if (node.type !== 'Property') return []
  // One that takes the places of a query is a function of them.
  const kept = node.value.type === 'ArrowFunctionExpression' ? node.value.body : node.value
  return isCondition(kept) ? leftOut(source, { node: kept, above: [node, ...above] }) : []
}

const isCondition = (node: Node): boolean =>
  node.type === 'CallExpression' &&
  node.callee.type === 'Identifier' &&
  /^(eq|ne|isNull|isNotNull|inArray|gt|lt|gte|lte)$/.test(node.callee.name)

function leftOut(source: Source, place: Place): Found[] {
  const node = bare(place.node)
  const text = textOf(source, node)
  if (isAndOr(node, 'and') || namesRow(text) || isParameter(node, place.above)) return []
  // Several conditions in raw SQL are removed one by one.
  if (isSql(node) && conjunctsOf(filled(source, node.quasi)).length > 0) return []
  return [{ place, what: `without ${text}`, instead: 'undefined' }]
}

const isAndOr = (node: Node, name: 'and' | 'or') =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === name

const isSql = (node: Node): node is Extract<Node, { type: 'TaggedTemplateExpression' }> =>
  node.type === 'TaggedTemplateExpression' && node.tag.type === 'Identifier' && node.tag.name === 'sql'

/** A condition passed in as a parameter is found where the caller builds it. */
const isParameter = (node: Node, above: readonly Node[]): boolean =>
  node.type === 'Identifier' &&
  above.some(
    (one) =>
      (one.type === 'ArrowFunctionExpression' || one.type === 'FunctionDeclaration') &&
      one.params.some((param) => param.type === 'Identifier' && param.name === node.name),
  )

/** A column that is computed as `sql<boolean>`. */
function inAnswer(source: Source, place: Place): Found[] {
  const { node } = place
  if (node.type !== 'TaggedTemplateExpression' || !isSql(node) || !node.typeArguments) return []
  if (!/^<boolean>$/.test(textOf(source, node.typeArguments))) return []
  const text = textOf(source, node.quasi).slice(1, -1)
  return ['true', 'false'].map((value) => ({
    place,
    what: `always ${value}: ${text}`,
    instead: `sql<boolean>\`${value}\``,
  }))
}

function inSql(source: Source, place: Place, sql: string, at: number): Found[] {
  if (!/\b(and|or|where|on|when)\b/i.test(sql) || !isInQuery(place, sql)) return []
  return conjunctsOf(sql)
    .filter(
      ({ isJoin, start, end }) => !isJoin && !namesRow(textOf(source, { start: at + start, end: at + end })),
    )
    .map(({ start, end }) => {
      const span = { start: at + start, end: at + end }
      return { place, what: `without ${textOf(source, span)}`, instead: 'true', span }
    })
}

/** Text is SQL if its tag or its beginning says so. */
const isInQuery = ({ above: [parent] }: Place, sql: string): boolean =>
  (parent !== undefined && isSql(parent)) || /^\s*(select|insert into|update|delete from|with)\b/i.test(sql)

/** The text of a template, with its holes filled by words of the same length. */
function filled(source: Source, node: Node): string {
  if (node.type !== 'TemplateLiteral') throw new Error('no template')
  const from = node.start + 1
  let sql = source.text.slice(from, node.end - 1)
  for (const { start, end } of node.expressions) {
    // With the brackets around it.
    const [a, b] = [source.text.lastIndexOf('${', start) - from, source.text.indexOf('}', end) + 1 - from]
    sql = sql.slice(0, a) + '§'.repeat(b - a) + sql.slice(b)
  }
  return sql
}
