import { formatWallTime } from '@keyturn/contract/shared/dates.ts'
import { expect, test } from 'vitest'
import { wallTimeOf } from './wall-time.ts'

test('a time that was typed is read as it was typed, wherever that was', () => {
  const time = wallTimeOf('2026-11-25T15:00')
  expect(time).toMatch(/^2026-11-25T15:00:00[+-]\d\d:\d\d$/)
  expect(formatWallTime(time)).toBe('Wed, Nov 25, 2026, 3:00 PM')
  expect(new Date(time)).toEqual(new Date('2026-11-25T15:00'))
})

test('what is no time stays as it is, and is refused as such', () => {
  expect(wallTimeOf('')).toBe('')
  expect(wallTimeOf('tomorrow')).toBe('tomorrow')
})
