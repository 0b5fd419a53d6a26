import { type Cents, cents, centsToDollars } from '@keyturn/contract/shared/money.ts'
import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { QueryResultRow } from 'pg'
import type { Deps } from '../../deps.ts'
import { prepareStatement } from '../database/prepare-query.ts'

/** An amount in a downloaded row: dollars in JSON, formatted in the document to read. */
export class Amount {
  readonly cents: Cents
  constructor(value: Cents) {
    this.cents = value
  }
  toJSON(): number {
    return centsToDollars(this.cents)
  }
}

export type DataValue = string | number | boolean | null | Date | Amount | readonly DataValue[] | DataRow
export type DataRow = { readonly [name: string]: DataValue }

export type DataReader = Pick<Deps, 'db' | 'config'>

/** A part of what a person can download about themself. Each module contributes its own. */
export type DataSection = {
  /** The key in the JSON file. */
  name: string
  title: string
  /** The tables that it covers, for the test that no table is forgotten. */
  tables: readonly string[]
  read(reader: DataReader, personId: string): AsyncIterable<DataRow>
}

/** Few enough that neither memory nor the event loop notices them. */
const rowsPerQuery = 200

type Definition<Row> = Pick<DataSection, 'name' | 'title' | 'tables'> & {
  /** Selects all rows of a person. Each has an `id` by which they sort; times are texts. */
  select: (p: { personId: Placeholder<'personId', string> }) => SQL
  toRow: (row: Row, reader: DataReader, personId: string) => DataRow | Promise<DataRow>
}

type RowId = string | number

/**
 * Reads all ids, then the rows page by page, so that neither the rows nor a connection are held while
 * a client reads, and each row is read once.
 */
export function defineDataSection<Row extends { id: RowId } & QueryResultRow>({
  select,
  toRow,
  ...section
}: Definition<Row>): DataSection {
  const findIds = prepareStatement<{ personId: string }, { id: RowId }>(
    `list-${section.name}`,
    (p) => sql`select id from (${select(p)}) own order by own.id`,
  )
  const findPage = prepareStatement<{ personId: string; ids: RowId[] }, Row>(
    `export-${section.name}`,
    (p) => sql`select * from (${select(p)}) own where own.id = any(${p.ids}) order by own.id`,
  )
  return {
    ...section,
    async *read(reader, personId) {
      const ids = (await findIds(reader.db, { personId })).map(({ id }) => id)
      for (let i = 0; i < ids.length; i += rowsPerQuery) {
        const page = { personId, ids: ids.slice(i, i + rowsPerQuery) }
        for (const row of await findPage(reader.db, page)) yield await toRow(row, reader, personId)
      }
    },
  }
}

export const toMoment = (text: string | null): Date | null => (text === null ? null : new Date(text))
export const toAmount = (value: number | null): Amount | null =>
  value === null ? null : new Amount(cents(value))
export const carTitle = (car: { year: number; make: string; model: string }): string =>
  `${car.year} ${car.make} ${car.model}`
