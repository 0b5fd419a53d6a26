import { loadModule, parseSync } from 'libpg-query'

await loadModule()

/** `keys`: the columns of a table each of which says where a row lies. */
export type Splits = ReadonlyMap<string, readonly string[]>
/** The columns of each table of the database. */
export type Columns = ReadonlyMap<string, readonly string[]>
/**
 * How a statement finds the rows of the split tables that it names. `keyed`: it is given a key of each. `followed`: these tables are found by
 * what other rows say that is no key of theirs, so they may lie elsewhere. `everywhere`: nothing says where their rows are.
 */
export type Reads = { split: string[]; followed: string[]; everywhere: string[] }

type Fields = Record<string, unknown>
/** A column of one mention of a table, as `3.car_id`, or what is given with the call. */
type Term = string
const given: Term = 'given'

/** Two terms that are equal where a condition holds. */
type Equal = [Term, Term]
/** What a condition says of the mentions from this place on: whatever an inner query asks for, it chooses no row of the outer one. */
type Fact = { of: Equal; from: number }
type Mention = { place: number; table: string; columns: readonly string[]; outputs?: Map<string, Term> }
type Scope = { names: Map<string, Mention>; above: Scope | null; withs: Map<string, Mention>; from: number }

export function readsOf(statement: string, splits: Splits, columns: Columns): Reads {
  const mentions: Mention[] = []
  const facts: Fact[] = []
  /** What is one of several: known when each of them is. */
  const unions: { term: Term; parts: Term[] }[] = []
  const written = new Set<number>()
  const scalars = new Map<unknown, Map<string, Term>>()

  const [parsed] = (parseSync(statement) as { stmts: { stmt: Fields }[] }).stmts
  readQuery(parsed?.stmt ?? {}, null)
  return concluded()

  function mention(scope: Scope, name: string, table: string, known: Partial<Mention> = {}): Mention {
    const one = { place: mentions.length, table, columns: columns.get(table) ?? [], ...known }
    mentions.push(one)
    scope.names.set(name, one)
    return one
  }

  /** Reads a query with all that is in it; the terms of its columns, by name. */
  function readQuery(node: Fields, above: Scope | null): Map<string, Term> {
    const scope: Scope = { names: new Map(), above, withs: new Map(), from: mentions.length }
    const say = (equal: readonly Equal[]) => facts.push(...equal.map((of) => ({ of, from: scope.from })))
    const [kind, query] = entry(node)
    for (const one of list(fields(query.withClause).ctes)) {
      const cte = fields(one.CommonTableExpr)
      const outputs = readQuery(fields(cte.ctequery), scope)
      scope.withs.set(String(cte.ctename), { place: -1, table: '', columns: [], outputs })
    }
    if (kind === 'SelectStmt' && query.op !== undefined && query.op !== 'SETOP_NONE') {
      const [left, right] = [query.larg, query.rarg].map((part) =>
        readQuery({ SelectStmt: fields(part) }, scope),
      )
      const names = [...(left?.keys() ?? [])]
      const rightTerms = [...(right?.values() ?? [])]
      return new Map(
        names.map((name, at) => {
          const term = `union ${unions.length}`
          unions.push({ term, parts: [left?.get(name) ?? 'unknown', rightTerms[at] ?? 'unknown'] })
          return [name, term]
        }),
      )
    }
    const target = fields(query.relation)
    if (typeof target.relname === 'string') {
      const one = mention(scope, aliasOf(target) ?? target.relname, target.relname)
      const keys = splits.get(one.table) ?? []
      const named = list(query.cols).map((column) => String(fields(column.ResTarget).name))
      if (kind === 'InsertStmt' && keys.some((key) => named.includes(key))) written.add(one.place)
    }
    for (const item of [...list(query.fromClause), ...list(query.usingClause)]) say(readSource(item, scope))
    say(factsOf(fields(query.whereClause), scope))
    if (query.selectStmt) readQuery(fields(query.selectStmt), scope)
    const outputs = new Map<string, Term>()
    for (const [at, item] of list(query.targetList).entries()) {
      const { name, val } = fields(item.ResTarget)
      readInside(fields(val), scope)
      const path = list(fields(fields(val).ColumnRef).fields)
      if (path.at(-1)?.A_Star)
        for (const one of scope.names.values()) {
          for (const column of one.columns) outputs.set(column, `${one.place}.${column}`)
          for (const [column, term] of one.outputs ?? []) outputs.set(column, term)
        }
      else outputs.set(String(name ?? stringOf(path.at(-1)) ?? at), termOf(fields(val), scope))
    }
    for (const item of list(query.returningList)) readInside(item, scope)
    return outputs
  }

  /** What stands behind "from": mentions it, and gives what its joins say. */
  function readSource(node: Fields, scope: Scope): Equal[] {
    const [kind, source] = entry(node)
    if (kind === 'RangeVar') {
      const table = String(source.relname)
      const cte = withOf(scope, table)
      mention(scope, aliasOf(source) ?? table, cte ? '' : table, cte && { outputs: cte.outputs ?? new Map() })
    }
    if (kind === 'RangeSubselect') {
      const outputs = readQuery(fields(source.subquery), scope)
      mention(scope, aliasOf(source) ?? `${mentions.length}`, '', { outputs })
    }
    // What a function makes of what it is given is given.
    if (kind === 'RangeFunction') mention(scope, aliasOf(source) ?? `${mentions.length}`, given)
    if (kind !== 'JoinExpr') return []
    const inner = [...readSource(fields(source.larg), scope), ...readSource(fields(source.rarg), scope)]
    return [...inner, ...factsOf(fields(source.quals), scope)]
  }

  /** What is equal where this condition holds. */
  function factsOf(node: Fields, scope: Scope): Equal[] {
    const [kind, condition] = entry(node)
    if (kind === 'BoolExpr' && condition.boolop !== 'NOT_EXPR') {
      const parts = list(condition.args).map((part) => factsOf(part, scope))
      const [first = [], ...others] = parts
      // Of an "or" only what each of its parts says.
      return condition.boolop === 'AND_EXPR'
        ? parts.flat()
        : first.filter((fact) => others.every((other) => other.some((one) => one.join() === fact.join())))
    }
    if (kind === 'SubLink' && condition.subLinkType === 'ANY_SUBLINK') {
      const [output] = readQuery(fields(condition.subselect), scope).values()
      return output === undefined ? [] : [[termOf(fields(condition.testexpr), scope), output]]
    }
    readInside(node, scope)
    const isEqual = ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'].includes(String(condition.kind))
    if (kind !== 'A_Expr' || !isEqual || operatorOf(condition) !== '=') return []
    const items = list(fields(fields(condition.rexpr).List).items)
    const terms = (items.length > 0 ? items : [fields(condition.rexpr)]).map((one) => termOf(one, scope))
    const left = termOf(fields(condition.lexpr), scope)
    if (terms.every((term) => term === given)) return [[left, given]]
    return terms.length === 1 ? terms.map((term): Equal => [left, term]) : []
  }

  /** Queries within an expression. */
  function readInside(node: unknown, scope: Scope): void {
    if (Array.isArray(node)) for (const one of node) readInside(one, scope)
    else if (node && typeof node === 'object')
      for (const [kind, value] of Object.entries(node))
        if (kind === 'SubLink') scalars.set(value, readQuery(fields(fields(value).subselect), scope))
        else readInside(value, scope)
  }

  function termOf(node: Fields, scope: Scope): Term {
    const [kind, value] = entry(node)
    if (kind === 'ParamRef' || kind === 'A_Const') return given
    if (kind === 'TypeCast') return termOf(fields(value.arg), scope)
    if (kind === 'SubLink') {
      const [output] = scalars.get(value)?.values() ?? []
      return output ?? 'unknown'
    }
    if (kind !== 'ColumnRef') return 'unknown'
    const path = list(value.fields).map(stringOf)
    const column = path.at(-1) ?? ''
    for (let at: Scope | null = scope; at; at = at.above)
      for (const [name, one] of at.names) {
        if (path.length > 1 && path[0] !== name) continue
        if (one.table === given) return given
        const output = one.outputs?.get(column)
        if (output !== undefined) return output
        if (one.columns.includes(column)) return `${one.place}.${column}`
      }
    return 'unknown'
  }

  function concluded(): Reads {
    const byKey = reachedBy((table) => splits.get(table) ?? columns.get(table) ?? [])
    const reached = reachedBy((table) => columns.get(table) ?? [])
    const tablesWhere = (is: (place: number) => boolean) => [
      ...new Set(mentions.flatMap(({ table, place }) => (splits.has(table) && is(place) ? [table] : []))),
    ]
    return {
      split: tablesWhere(() => true),
      followed: tablesWhere((place) => reached.has(place) && !byKey.has(place)),
      everywhere: tablesWhere((place) => !reached.has(place)),
    }
  }

  /** Which mentions are found by a key, where a row that is found tells these columns of its table. */
  function reachedBy(told: (table: string) => readonly string[]): Set<number> {
    const known = new Set<Term>([given])
    const reached = new Set<number>()
    for (let size = -1; size !== known.size; ) {
      size = known.size
      for (const { of, from } of facts)
        for (const [one, other] of [of, of.toReversed()])
          if (one && other && known.has(one) && isFrom(other, from)) known.add(other)
      for (const { term, parts } of unions) if (parts.every((part) => known.has(part))) known.add(term)
      for (const { place, table } of mentions) {
        const keys = splits.get(table) ?? columns.get(table) ?? []
        if (!written.has(place) && !keys.some((key) => known.has(`${place}.${key}`))) continue
        reached.add(place)
        for (const column of told(table)) known.add(`${place}.${column}`)
      }
    }
    return reached
  }
}

const isFrom = (term: Term, from: number): boolean =>
  term.startsWith('union') || (term !== 'unknown' && Number.parseInt(term, 10) >= from)

const fields = (node: unknown): Fields => (node && typeof node === 'object' ? (node as Fields) : {})
const list = (nodes: unknown): Fields[] => (Array.isArray(nodes) ? (nodes as Fields[]) : [])
/** A node is an object with its kind as its only property. */
function entry(node: Fields): [string, Fields] {
  const [[kind, value] = ['', {}]] = Object.entries(node)
  return [kind, fields(value)]
}
const stringOf = (node: Fields | undefined): string | undefined => {
  const { sval } = fields(node?.String)
  return typeof sval === 'string' ? sval : undefined
}
const operatorOf = (expression: Fields): string | undefined => stringOf(list(expression.name)[0])
const aliasOf = (source: Fields): string | undefined => {
  const { aliasname } = fields(source.alias)
  return typeof aliasname === 'string' ? aliasname : undefined
}
function withOf(scope: Scope, name: string): Mention | undefined {
  for (let at: Scope | null = scope; at; at = at.above) {
    const one = at.withs.get(name)
    if (one) return one
  }
  return undefined
}
