import { is, Param, Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { QueryResult, QueryResultRow } from 'pg'
import type { Db } from './open.ts'
import { driverTypes, type Field, rowReader } from './rows.ts'

type Values = Record<string, unknown>
/** The places of a query that each call fills: where `p.id` stands, `{ id }` goes. */
export type Given<P extends Values> = { readonly [K in keyof P & string]: Placeholder<K, P[K]> }
/** A query to be run with its values, on the pool or in a transaction. */
export type Prepared<P extends Values, R> = (db: Db, values: P) => Promise<R>
/** One row of what a query answers. */
export type RowOf<Q extends (...given: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Q>>[number]

type Preparable<R> = { prepare(name: string): { execute(values: Values): Promise<R> } }

/**
 * A query that is built once and prepared under its name on each connection; its rows have the type that the query
 * builder infers. Unprepared queries cost up to twice as much.
 *
 * drizzle builds the query and knows what its columns are. How values are filled in and rows are read is worked out here
 * once a query: drizzle does it anew for every row and every column of it, which costs more than the query itself.
 */
export function prepared<P extends Values, R>(
  name: string,
  build: (db: Db, p: Given<P>) => Preparable<R>,
  { most }: Options = {},
): Prepared<P, R> {
  let statement: Statement | undefined
  const make = (db: Db) => {
    const made = statementOf(build(db, given()).prepare(name))
    return most === undefined ? made : { ...made, text: withBoundKnown(made.text, most) }
  }
  preparedTexts.set(name, (db) => make(db).text)
  return async (db, values) => {
    statement ??= make(db)
    const { text, fill, read } = statement
    const question = { name, text, values: fill(values), rowMode: 'array', types: driverTypes }
    const result: QueryResult<unknown[]> = await db.$client.query(question)
    return (read ? result.rows.map(read) : result) as R
  }
}

/** The same for a statement that is written out as a whole; its rows are as the driver reads them. */
export function preparedStatement<P extends Values, Row extends QueryResultRow = never>(
  name: string,
  write: (p: Given<P>) => SQL,
): Prepared<P, Row[]> {
  let statement: Statement | undefined
  const make = () => {
    const { sql: text, params } = new PgDialect().sqlToQuery(write(given()))
    return { text, fill: filler(params), read: undefined }
  }
  preparedTexts.set(name, () => make().text)
  return async (db, values) => {
    statement ??= make()
    const { text, fill } = statement
    const { rows } = await db.$client.query<Row>({ name, text, values: fill(values), types: driverTypes })
    return rows
  }
}

/** `most`: more rows than any call asks for, where the query ends with a limit that comes with each call. */
type Options = { most?: number }

/**
 * Of a limit that it does not know the planner thinks that it is a tenth of all there is: in a large table that looks so costly that it
 * plans anew for each call, which takes longer than the page itself.
 */
function withBoundKnown(text: string, most: number): string {
  const [, rows, limit] = /^(.*) limit (\$\d+)$/s.exec(text) ?? []
  if (rows === undefined) throw new Error(`No limit at the end: ${text}`)
  return `select * from (${rows} limit ${most}) as page limit ${limit}`
}

/** What each query says, by its name: for those who look at how PostgreSQL goes about them all. */
export const preparedTexts = new Map<string, (db: Db) => string>()

/** Any property is a placeholder of that name; the type says which ones there are. */
export const given = <P extends Values>(): Given<P> =>
  new Proxy({} as Given<P>, { get: (_, name) => sql.placeholder(String(name)) })

type Statement = {
  text: string
  fill: (values: Values) => unknown[]
  /** Absent where the query answers no rows. */
  read: ((row: unknown[]) => unknown) | undefined
}

/** drizzle keeps these under names that its types hide; `prepared.test.ts` fails where a new version moves them. */
type Built = {
  query: { sql: string; params: unknown[] }
  fields?: Field[]
  joinsNotNullableMap?: Record<string, boolean>
}

function statementOf(query: unknown): Statement {
  const { query: built, fields, joinsNotNullableMap } = query as Built
  return {
    text: built.sql,
    fill: filler(built.params),
    read: fields && rowReader(fields, joinsNotNullableMap),
  }
}

function filler(params: unknown[]): (values: Values) => unknown[] {
  const parts = params.map((param) => {
    if (is(param, Placeholder)) return { name: param.name }
    if (is(param, Param) && is(param.value, Placeholder))
      return { name: param.value.name, encode: (value: unknown) => param.encoder.mapToDriverValue(value) }
    return { constant: param }
  })
  return (values) =>
    parts.map(({ name, encode, constant }) => {
      if (name === undefined) return constant
      const value = values[name]
      if (value === undefined) throw new Error(`No value was given for "${name}"`)
      return encode && value !== null ? encode(value) : value
    })
}
