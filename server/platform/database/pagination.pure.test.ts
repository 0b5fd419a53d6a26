import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor, maxPageRows } from './pagination.ts'

const id = 'a'.repeat(24)

test('decodes a cursor to the value that was encoded, to the microsecond', () => {
  const place = { at: '2026-05-05T05:05:05.123456Z', id }
  expect(decodeCursor(encodeCursor(place))).toEqual(place)
  expect(decodeCursor(undefined)).toBeNull()
})

test.each([
  ['a day that is in no calendar', '2026-02-30T05:05:05.123456Z', id],
  ['an hour that no day has', '2026-05-05T25:05:05.123456Z', id],
  ['a word that PostgreSQL would read as a moment', 'now', id],
  ['another form of a moment', '2026-05-05', id],
  ['no moment', '', id],
  ['no row', '2026-05-05T05:05:05.123456Z', ''],
])('rejects a cursor with %s', (_, at, row) => {
  expect(() => decodeCursor(encodeCursor({ at, id: row }))).toThrow('The request could not be read.')
})

test('accepts no limit above the largest page size at any endpoint', () => {
  const takes = (limit: number) =>
    allEndpoints.filter(({ query }) => {
      const read = query?.safeParse({ limit: String(limit) }).data
      return read instanceof Object && 'limit' in read && read.limit === limit
    })
  expect(takes(maxPageRows - 1).length).toBeGreaterThan(2)
  expect(takes(maxPageRows)).toEqual([])
})
