import { Column, getTableName, is, noopDecoder, SQL, Subquery } from 'drizzle-orm'
import pg from 'pg'

const { TIMESTAMPTZ, INT8 } = pg.types.builtins

// Amounts, versions and ids of events: all far below 2 to the 53rd.
pg.types.setTypeParser(INT8, Number)

const asItCame = (text: string) => text

/** What becomes of a value before its column reads it. Moments are read by their column alone (`columns.ts`). */
export const driverTypes: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === TIMESTAMPTZ ? asItCame : pg.types.getTypeParser(type, format as 'text'),
}

/** A column of an answer, and where it belongs in a row: `['vin']`, or `['car', 'vin']`. */
export type Field = { path: string[]; field: unknown }
type Row = Record<string, unknown>
type Leaf = { name: string; index: number; read: ((value: unknown) => unknown) | null }
type Branch = { name: string; leaves: Leaf[]; mayMiss: boolean }

/**
 * Makes a row of the values that came for it. `isThere` says of each table whether it is in every row: a part of a row
 * that is one joined table, of which nothing was found, is null.
 */
export function rowReader(
  fields: Field[],
  isThere: Record<string, boolean> = {},
): (values: unknown[]) => Row {
  const places = fields.map(({ path: [first = '', second], field }, index) => {
    const leaf: Leaf = { name: second ?? first, index, read: readerOf(field) }
    return {
      branch: second === undefined ? null : first,
      leaf,
      table: is(field, Column) ? field.table : null,
    }
  })
  const flat = places.filter(({ branch }) => branch === null).map(({ leaf }) => leaf)
  const branches = [...new Set(places.map(({ branch }) => branch))]
    .filter((name) => name !== null)
    .map((name): Branch => {
      const own = places.filter(({ branch }) => branch === name)
      const tables = new Set(own.map(({ table }) => table && getTableName(table)))
      const [table] = tables
      const mayMiss = tables.size === 1 && table != null && isThere[table] === false
      return { name, leaves: own.map(({ leaf }) => leaf), mayMiss }
    })
  return (values) => {
    const row = fill(flat, values)
    for (const { name, leaves, mayMiss } of branches)
      row[name] = mayMiss && leaves.every(({ index }) => values[index] === null) ? null : fill(leaves, values)
    return row
  }
}

function fill(leaves: Leaf[], values: unknown[]): Row {
  const row: Row = {}
  for (const { name, index, read } of leaves) {
    const value = values[index]
    row[name] = read && value !== null ? read(value) : value
  }
  return row
}

/** Null for what needs no reading, which is most of it. */
function readerOf(field: unknown): Leaf['read'] {
  const decoder = decoderOf(field)
  const { mapFromDriverValue } = decoder
  const isPlain = decoder === noopDecoder || mapFromDriverValue === Column.prototype.mapFromDriverValue
  return isPlain ? null : (value) => decoder.mapFromDriverValue(value)
}

type Decoder = { mapFromDriverValue(value: unknown): unknown }
/** Of a piece of SQL drizzle keeps it under a name that its types hide. */
type Decoded = { decoder: Decoder }

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field
  if (is(field, SQL.Aliased)) return (field.sql as unknown as Decoded).decoder
  if (is(field, Subquery)) return (field._.sql as unknown as Decoded).decoder
  return (field as Decoded).decoder
}
