import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type SQLWrapper, sql } from 'drizzle-orm'

/** A place in a list ordered newest first: the last row that was shown. */
export type Cursor = { at: string; id: string }
export type Page = { limit: number; cursor?: string | undefined }

/** The largest page that a call may ask for, and the row that says whether there is another. */
export const maxPageRows = 201

export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(`${cursor.at} ${cursor.id}`).toString('base64url')

/** Of rows that are one more than a page has, where there are more: those of the page, and where the next one begins. */
export function cutPage<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => Cursor) {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { shown, next: last ? placeOf(last) : null }
}

/** A moment as a cursor holds it: to the microsecond, as the column does. One cut shorter loses rows between two pages. */
export const cursorTime = (column: SQLWrapper) =>
  sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

export function decodeCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null
  const [, at, id] = /^(\S+) ([0-9a-f]{24})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (!at || !id || !isMoment(at)) throw apiErrors.BadRequest()
  return { at, id }
}

/** As we write it ourselves: PostgreSQL reads other times than a browser does, and stops at those that it cannot. */
const isMoment = (text: string): boolean =>
  /^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().slice(0, 19) === text.slice(0, 19)
