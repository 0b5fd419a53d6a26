import { hourMs } from '@keyturn/contract/shared/dates.ts'

// Pure functions for backup schedules and retention. All times are in UTC.

/** Number of most recent days, weeks and months of which one backup is retained. */
export type Retention = { days: number; weeks: number; months: number }

/** Parses times such as `03:30,15:30` into minutes of the day; null if invalid. */
export function parseBackupTimes(text: string): number[] | null {
  const found = text.split(',').map((one) => /^([01]\d|2[0-3]):([0-5]\d)$/.exec(one.trim()))
  const minutes = found.map((one) => Number(one?.[1]) * 60 + Number(one?.[2]))
  return minutes.some(Number.isNaN) ? null : [...new Set(minutes)].sort((one, other) => one - other)
}

/** Parses a retention such as `7d 4w 6m`; null if invalid or if it would retain nothing. */
export function parseRetention(text: string): Retention | null {
  const retention: Retention = { days: 0, weeks: 0, months: 0 }
  for (const word of text.trim().split(/[\s,]+/)) {
    const [, count, unit] = /^(\d{1,3})([dwm])$/.exec(word) ?? []
    if (count === undefined) return null
    retention[unit === 'd' ? 'days' : unit === 'w' ? 'weeks' : 'months'] = Number(count)
  }
  return retention.days + retention.weeks + retention.months > 0 ? retention : null
}

const dayMs = 24 * hourMs
const minuteMs = 60_000

/** Returns the first of these times of day after the given time. */
export function nextBackupTime(after: Date, minutes: readonly number[]): Date {
  const midnight = Math.floor(after.getTime() / dayMs) * dayMs
  const times = [0, dayMs].flatMap((day) => minutes.map((minute) => midnight + day + minute * minuteMs))
  return new Date(times.find((time) => time > after.getTime()) ?? midnight + dayMs)
}

/**
 * Selects the backups to retain: the newest one, and the newest of each recent day, week (from
 * Monday) and month with a backup.
 */
export function selectRetainedBackups(moments: readonly Date[], retention: Retention): Set<Date> {
  const newestFirst = [...moments].sort((one, other) => other.getTime() - one.getTime())
  const retained = new Set(newestFirst.slice(0, 1))
  const spans: [number, (moment: Date) => string][] = [
    [retention.days, (moment) => moment.toISOString().slice(0, 10)],
    [retention.weeks, (moment) => String(Math.floor((moment.getTime() / dayMs + 3) / 7))],
    [retention.months, (moment) => moment.toISOString().slice(0, 7)],
  ]
  for (const [count, spanOf] of spans) {
    const found = new Map<string, Date>()
    for (const moment of newestFirst) if (!found.has(spanOf(moment))) found.set(spanOf(moment), moment)
    for (const moment of [...found.values()].slice(0, count)) retained.add(moment)
  }
  return retained
}
