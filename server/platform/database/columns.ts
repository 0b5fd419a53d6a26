import { sql, type Table } from 'drizzle-orm'
import { bigint, char, customType } from 'drizzle-orm/pg-core'

// The columns that every room's tables are made of, and what statements say again and again.

export const idColumn = (name: string) => char(name, { length: 24 })
/** A point in time, to the microsecond or as coarse as `precision` says. */
export const moment = customType<{ data: Date; driverData: string; config: { precision?: 3 } }>({
  dataType: (config) => `timestamp${config?.precision ? `(${config.precision})` : ''} with time zone`,
  // A null reaches a column whose value comes with the call (drizzle's own types fail there, or write JSON's null).
  toDriver: (value: Date | null) => value?.toISOString() as string,
  fromDriver: (text) => new Date(text),
})
export const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'jsonb',
  toDriver: (value) => (value === null ? value : JSON.stringify(value)) as string,
})
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const centsColumn = (name: string) => bigint(name, { mode: 'number' })
/** Numbers a change of the row; drawn from one sequence for all tables. */
export const versionColumn = () =>
  bigint('version', { mode: 'number' }).notNull().default(sql`nextval('row_versions')`)

/** The sum of a row of evidence, which the database makes when the row is written (R-deals-80). */
export const sumColumn = () => bytes('row_sum').notNull().default(sql`''`)

/** The time that matters: the database's, which may step back. */
export const now = sql<Date>`keyturn_now()`.mapWith((text: string) => new Date(text))
export const nextVersion = sql`nextval('row_versions')`

/** These columns of a table, for an answer. */
export const pick = <T extends Table, K extends keyof T['_']['columns'] & keyof T>(
  table: T,
  ...names: K[]
): Pick<T, K> => Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>
