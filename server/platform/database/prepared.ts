import { DrizzleQueryError, fillPlaceholders, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg, { type QueryResultRow } from 'pg'
import type { Db } from './open.ts'

type Values = Record<string, unknown>
/** The places of a query that each call fills: where `p.id` stands, `{ id }` goes. */
export type Placeholders<P extends Values> = { readonly [K in keyof P & string]: Placeholder<K, P[K]> }
/** A query to be run with its values, on the pool or in a transaction. */
export type Prepared<P extends Values, R> = (db: Db, values: P) => Promise<R>
/** One row of what a query answers. */
export type RowOf<Q extends (...given: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Q>>[number]

type Statement<R> = { execute(values: Values): Promise<R> }
type Preparable<R> = { prepare(name: string): Statement<R>; toSQL(): { sql: string } }

// Amounts, versions and ids of events: all far below 2 to the 53rd.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * A query that is built once for each connection and prepared there under its name; its rows have the type that the query
 * builder infers. Unprepared queries cost up to twice as much. Of a joined table that may be missing, a column that is never
 * null is selected first: drizzle takes the whole part for missing where the first one is null.
 */
export function prepared<P extends Values, R>(
  name: string,
  build: (db: Db, p: Placeholders<P>) => Preparable<R>,
): Prepared<P, R> {
  const statements = new WeakMap<Db, Statement<R>>()
  preparedTexts.set(name, (db) => build(db, placeholders()).toSQL().sql)
  return async (db, values) => {
    let statement = statements.get(db)
    if (!statement) {
      statement = build(db, placeholders()).prepare(name)
      statements.set(db, statement)
    }
    requireValues(values)
    try {
      return await statement.execute(values)
    } catch (error) {
      // What drizzle adds are the values, which no log may show.
      throw error instanceof DrizzleQueryError && error.cause ? error.cause : error
    }
  }
}

/** The same for a statement that is written out as a whole; its rows are as the driver reads them, moments as text. */
export function preparedStatement<P extends Values, Row extends QueryResultRow = never>(
  name: string,
  write: (p: Placeholders<P>) => SQL,
): Prepared<P, Row[]> {
  const { sql: text, params } = new PgDialect().sqlToQuery(write(placeholders()))
  preparedTexts.set(name, () => text)
  return async (db, values) => {
    requireValues(values)
    const question = { name, text, values: fillPlaceholders(params, values), types: momentsAsText }
    const { rows } = await db.$client.query<Row>(question)
    return rows
  }
}

/** What each query says, by its name: for those who look at how PostgreSQL goes about them all. */
export const preparedTexts = new Map<string, (db: Db) => string>()

/** Any property is a placeholder of that name; the type says which ones there are. */
const placeholders = <P extends Values>(): Placeholders<P> =>
  new Proxy({} as Placeholders<P>, { get: (_, name) => sql.placeholder(String(name)) })

const momentsAsText: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.TIMESTAMPTZ
      ? (text: string) => text
      : pg.types.getTypeParser(type, format as 'text'),
}

/** The driver would write null for a value that was forgotten. */
function requireValues(values: Values): void {
  for (const [name, value] of Object.entries(values))
    if (value === undefined) throw new Error(`No value was given for "${name}"`)
}
