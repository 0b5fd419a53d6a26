import { expect, test } from 'vitest'
import { nextBackupTime, parseBackupTimes, parseRetention, selectRetainedBackups } from './backup-schedule.ts'

test('parses times of day and rejects anything else', () => {
  expect(parseBackupTimes('03:30')).toEqual([210])
  expect(parseBackupTimes('15:30, 03:30,15:30')).toEqual([210, 930])
  for (const text of ['', '3:30', '24:00', '03:60', '03:30;04:30', '03:30,'])
    expect(parseBackupTimes(text)).toBeNull()
})

test('parses retention settings and rejects empty ones', () => {
  expect(parseRetention('7d 4w 6m')).toEqual({ days: 7, weeks: 4, months: 6 })
  expect(parseRetention('3d')).toEqual({ days: 3, weeks: 0, months: 0 })
  for (const text of ['', '7', '0d', '7d 4y', '-1d']) expect(parseRetention(text)).toBeNull()
})

test('returns the next time of day, today or tomorrow', () => {
  const next = (after: string, ...minutes: number[]) => nextBackupTime(new Date(after), minutes).toISOString()
  expect(next('2026-03-01T03:29:59.999Z', 210)).toBe('2026-03-01T03:30:00.000Z')
  expect(next('2026-03-01T03:30:00.000Z', 210)).toBe('2026-03-02T03:30:00.000Z')
  expect(next('2026-12-31T16:00:00.000Z', 210, 930)).toBe('2027-01-01T03:30:00.000Z')
  expect(next('2026-12-31T04:00:00.000Z', 210, 930)).toBe('2026-12-31T15:30:00.000Z')
})

const moments = (...texts: string[]) => texts.map((text) => new Date(text))
const kept = (all: Date[], days: number, weeks: number, months: number) =>
  all
    .filter((moment) => selectRetainedBackups(all, { days, weeks, months }).has(moment))
    .map((moment) => moment.toISOString().slice(0, 13))

test('retains the newest backup of each of the newest days, weeks and months', () => {
  // The last day is a Wednesday; weeks begin on Monday.
  const all = moments(
    '2026-01-31T03:00Z',
    '2026-02-28T03:00Z',
    '2026-03-01T03:00Z',
    '2026-03-02T03:00Z',
    '2026-03-03T03:00Z',
    '2026-03-03T15:00Z',
    '2026-03-04T03:00Z',
  )
  expect(kept(all, 2, 0, 0)).toEqual(['2026-03-03T15', '2026-03-04T03'])
  expect(kept(all, 0, 2, 0)).toEqual(['2026-03-01T03', '2026-03-04T03'])
  expect(kept(all, 0, 0, 3)).toEqual(['2026-01-31T03', '2026-02-28T03', '2026-03-04T03'])
  expect(kept(all, 1, 2, 2)).toEqual(['2026-02-28T03', '2026-03-01T03', '2026-03-04T03'])
})

test('skips days without a backup and always retains the newest one', () => {
  const all = moments('2025-01-01T03:00Z', '2025-06-01T03:00Z', '2026-03-04T03:00Z')
  expect(kept(all, 3, 0, 0)).toHaveLength(3)
  expect(kept(all, 0, 0, 0)).toEqual(['2026-03-04T03'])
  expect(selectRetainedBackups([], { days: 7, weeks: 4, months: 6 }).size).toBe(0)
})
