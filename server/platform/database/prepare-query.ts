import { DrizzleQueryError, fillPlaceholders, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg, { type QueryResultRow } from 'pg'
import type { Db } from './open-database.ts'

type Values = Record<string, unknown>
/** The placeholders of a query: `{ id }` supplies the value of `p.id`. */
export type Placeholders<P extends Values> = { readonly [K in keyof P & string]: Placeholder<K, P[K]> }
/** Runs the query with these values, on the pool or in a transaction. */
export type PreparedQuery<P extends Values, R> = (db: Db, values: P) => Promise<R>
export type RowOf<Q extends (...given: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Q>>[number]

type Statement<R> = { execute(values: Values): Promise<R> }
type Preparable<R> = { prepare(name: string): Statement<R>; toSQL(): { sql: string } }

// Amounts, versions and event ids are all far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Builds a query once per connection and prepares it there under its name. Unprepared queries cost
 * up to twice as much. Select a non-null column of an outer-joined table first: drizzle treats the
 * joined row as missing if its first column is null.
 */
export function prepareQuery<P extends Values, R>(
  name: string,
  build: (db: Db, p: Placeholders<P>) => Preparable<R>,
): PreparedQuery<P, R> {
  const statements = new WeakMap<Db, Statement<R>>()
  preparedQueryTexts.set(name, (db) => build(db, placeholders()).toSQL().sql)
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
      // Drizzle's error contains the values, which must not be logged.
      throw error instanceof DrizzleQueryError && error.cause ? error.cause : error
    }
  }
}

/** Prepares a statement written in SQL; its rows are as the driver parses them, times as text. */
export function prepareStatement<P extends Values, Row extends QueryResultRow = never>(
  name: string,
  write: (p: Placeholders<P>) => SQL,
): PreparedQuery<P, Row[]> {
  const { sql: text, params } = new PgDialect().sqlToQuery(write(placeholders()))
  preparedQueryTexts.set(name, () => text)
  return async (db, values) => {
    requireValues(values)
    const question = { name, text, values: fillPlaceholders(params, values), types: momentsAsText }
    const { rows } = await db.$client.query<Row>(question)
    return rows
  }
}

/** The SQL of each query by name, for tests of the query plans. */
export const preparedQueryTexts = new Map<string, (db: Db) => string>()

const placeholders = <P extends Values>(): Placeholders<P> =>
  new Proxy({} as Placeholders<P>, { get: (_, name) => sql.placeholder(String(name)) })

const momentsAsText: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.TIMESTAMPTZ
      ? (text: string) => text
      : pg.types.getTypeParser(type, format as 'text'),
}

/** Throws for a missing value, because the driver would write null for it. */
function requireValues(values: Values): void {
  for (const [name, value] of Object.entries(values))
    if (value === undefined) throw new Error(`No value was given for "${name}"`)
}
