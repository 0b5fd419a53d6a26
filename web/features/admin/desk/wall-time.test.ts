import { formatWallTime } from '@keyturn/contract/shared/dates.ts'
import { expect, test } from 'vitest'
import { addLocalOffset } from './wall-time.ts'

test('reads a typed time as local time in any time zone', () => {
  const time = addLocalOffset('2026-11-25T15:00')
  expect(time).toMatch(/^2026-11-25T15:00:00[+-]\d\d:\d\d$/)
  expect(formatWallTime(time)).toBe('Wed, Nov 25, 2026, 3:00 PM')
  expect(new Date(time)).toEqual(new Date('2026-11-25T15:00'))
})

test('keeps text that is not a time, so that it is rejected', () => {
  expect(addLocalOffset('')).toBe('')
  expect(addLocalOffset('tomorrow')).toBe('tomorrow')
})
