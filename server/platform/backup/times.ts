import { hourMs } from '@keyturn/contract/shared/dates.ts'

// When a backup is due, and which of them stay: moments in UTC, nothing of a clock or a disk.

/** How many of the newest days, weeks and months keep one. */
export type Keep = { days: number; weeks: number; months: number }

/** Minutes of the day, from words such as `03:30,15:30`; null where that is none. */
export function minutesIn(text: string): number[] | null {
  const found = text.split(',').map((one) => /^([01]\d|2[0-3]):([0-5]\d)$/.exec(one.trim()))
  const minutes = found.map((one) => Number(one?.[1]) * 60 + Number(one?.[2]))
  return minutes.some(Number.isNaN) ? null : [...new Set(minutes)].sort((one, other) => one - other)
}

/** From words such as `7d 4w 6m`; null where that is none, or would keep nothing. */
export function keepIn(text: string): Keep | null {
  const keep: Keep = { days: 0, weeks: 0, months: 0 }
  for (const word of text.trim().split(/[\s,]+/)) {
    const [, count, unit] = /^(\d{1,3})([dwm])$/.exec(word) ?? []
    if (count === undefined) return null
    keep[unit === 'd' ? 'days' : unit === 'w' ? 'weeks' : 'months'] = Number(count)
  }
  return keep.days + keep.weeks + keep.months > 0 ? keep : null
}

const dayMs = 24 * hourMs
const minuteMs = 60_000

/** The next of these times of day after a moment. */
export function nextTime(after: Date, minutes: readonly number[]): Date {
  const midnight = Math.floor(after.getTime() / dayMs) * dayMs
  const times = [0, dayMs].flatMap((day) => minutes.map((minute) => midnight + day + minute * minuteMs))
  return new Date(times.find((time) => time > after.getTime()) ?? midnight + dayMs)
}

/** The newest of each of the newest days, weeks (from Monday) and months that have one; always the newest of all. */
export function staying(moments: readonly Date[], keep: Keep): Set<Date> {
  const newestFirst = [...moments].sort((one, other) => other.getTime() - one.getTime())
  const stays = new Set(newestFirst.slice(0, 1))
  const spans: [number, (moment: Date) => string][] = [
    [keep.days, (moment) => moment.toISOString().slice(0, 10)],
    [keep.weeks, (moment) => String(Math.floor((moment.getTime() / dayMs + 3) / 7))],
    [keep.months, (moment) => moment.toISOString().slice(0, 7)],
  ]
  for (const [count, spanOf] of spans) {
    const found = new Map<string, Date>()
    for (const moment of newestFirst) if (!found.has(spanOf(moment))) found.set(spanOf(moment), moment)
    for (const moment of [...found.values()].slice(0, count)) stays.add(moment)
  }
  return stays
}
