import { expect, test } from 'vitest'
import {
  formatDate,
  formatDateTime,
  formatDeadline,
  formatDuration,
  formatSeconds,
  hourMs,
  isOlderThanYear,
} from './dates.ts'

const minuteMs = 60_000

test('shows a span in its two largest units', () => {
  expect(formatDuration(72 * hourMs)).toBe('3 days')
  expect(formatDuration(72 * hourMs - 1)).toBe('2 days, 23 hours')
  expect(formatDuration(48 * hourMs)).toBe('2 days')
  expect(formatDuration(48 * hourMs - 1)).toBe('47 hours, 59 minutes')
  expect(formatDuration(hourMs)).toBe('1 hour')
  expect(formatDuration(hourMs - 1)).toBe('59 minutes')
  expect(formatDuration(minuteMs - 1)).toBe('less than a minute')
  expect(formatDuration(-5)).toBe('less than a minute')
  expect(formatSeconds(725_000)).toBe('12 minutes, 5 seconds')
  expect(formatSeconds(60_001)).toBe('1 minute, 1 second')
  expect(formatSeconds(400)).toBe('1 second')
})

// R-everywhere-3
test('formats a date as month, day and year, and a deadline with its zone', () => {
  expect(formatDate('2026-03-09T12:00:00.000Z')).toBe('03/09/2026')
  expect(formatDateTime('2026-03-09T12:00:00.000Z')).toMatch(/^03\/09\/2026, \d{1,2}:00\s[AP]M \S+$/)
  expect(formatDeadline('2026-03-09T12:00:00.000Z')).toMatch(/^Mar 9, \d{1,2}:00\s[AP]M \S+$/)
})

test.each([
  ['2026-11-27', '2027-11-27T00:00:00Z', false],
  ['2026-11-27', '2027-11-27T00:00:01Z', true],
  ['2025-01-01', '2026-11-27T12:00:00Z', true],
])('what was read on %s is older than a year on %s: %s', (read, now, isOld) => {
  expect(isOlderThanYear(read, new Date(now))).toBe(isOld)
})
