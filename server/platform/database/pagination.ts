import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type SQLWrapper, sql } from 'drizzle-orm'
import type { Placeholders } from './prepare-query.ts'

/** The last row shown, in a list ordered newest first. */
export type Cursor = { at: string; id: string }
export type Page = { limit: number; cursor?: string | undefined }

/** The largest page that a request may ask for, plus one row that shows whether more follow. */
export const maxPageRows = 201

export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(`${cursor.at} ${cursor.id}`).toString('base64url')

/** Cuts `limit + 1` fetched rows to a page. `next` is null if there are no more rows. */
export function cutPage<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => Cursor) {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { shown, next: last ? placeOf(last) : null }
}

/** Formats a time to the microsecond, as stored. Less precision would lose rows between pages. */
export const cursorTime = (column: SQLWrapper) =>
  sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** For lists with the newest first. Without a cursor, it holds for every row. */
export const isAfterCursor = (
  at: SQLWrapper,
  id: SQLWrapper,
  p: Placeholders<{ afterAt: string | null; afterId: string | null }>,
) => sql`(${at}, ${id}) < (coalesce(${p.afterAt}::timestamptz, 'infinity'), ${p.afterId}::char(24))`

export function decodeCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null
  const [, at, id] = /^(\S+) ([0-9a-f]{24})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (!at || !id || !isMoment(at)) throw apiErrors.BadRequest()
  return { at, id }
}

/** Accepts only our own format: PostgreSQL parses dates differently and fails on invalid ones. */
const isMoment = (text: string): boolean =>
  /^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().slice(0, 19) === text.slice(0, 19)
