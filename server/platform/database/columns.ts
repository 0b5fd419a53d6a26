import { sql, type Table } from 'drizzle-orm'
import { bigint, char, customType } from 'drizzle-orm/pg-core'

// Column types and SQL fragments that all modules share.

export const idColumn = (name: string) => char(name, { length: 24 })
/** A point in time: microseconds by default, milliseconds with `precision: 3`. */
export const momentColumn = customType<{ data: Date; driverData: string; config: { precision?: 3 } }>({
  dataType: (config) => `timestamp${config?.precision ? `(${config.precision})` : ''} with time zone`,
  // Placeholders can pass null here; drizzle's own types throw, or write JSON's null.
  toDriver: (value: Date | null) => value?.toISOString() as string,
  fromDriver: (text) => new Date(text),
})
export const jsonColumn = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'jsonb',
  toDriver: (value) => (value === null ? value : JSON.stringify(value)) as string,
})
export const bytesColumn = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const centsColumn = (name: string) => bigint(name, { mode: 'number' })
/** The number of the row's last change, from one sequence for all tables. */
export const versionColumn = () =>
  bigint('version', { mode: 'number' }).notNull().default(sql`nextval('row_versions')`)

/** The checksum of an evidence row; the database computes it on insert (R-deals-80). */
export const sumColumn = () => bytesColumn('row_sum').notNull().default(sql`''`)

/** The database's clock, the only one to use; it may go backward. */
export const now = sql<Date>`keyturn_now()`.mapWith((text: string) => new Date(text))
export const nextVersion = sql`nextval('row_versions')`

export const pickColumns = <T extends Table, K extends keyof T['_']['columns'] & keyof T>(
  table: T,
  ...names: K[]
): Pick<T, K> => Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>
