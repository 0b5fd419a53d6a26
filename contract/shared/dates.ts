import { plural } from './texts.ts'

const usDate = new Intl.DateTimeFormat('en-US', { month: '2-digit', day: '2-digit', year: 'numeric' })
const usDateTime = new Intl.DateTimeFormat('en-US', {
  month: '2-digit',
  day: '2-digit',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

const usTime = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

const deadline = {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const
const usDeadline = new Intl.DateTimeFormat('en-US', deadline)

/** For local times of a place. */
const usWall = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
})

const usDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
})
const usMonthDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

export const hourMs = 3_600_000

/** `11/21/2026` (R-everywhere-3). */
export const formatDate = (iso: string): string => usDate.format(new Date(iso))

/** `11/27/2026` for the date `2026-11-27`, in every time zone. */
export const formatPlainDate = (date: string): string => date.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')

/** Whether a date (`2026-11-27`) lies more than a year before `now`: what was read then may have changed. */
export function isOlderThanYear(date: string, now: Date): boolean {
  const limit = new Date(date)
  limit.setUTCFullYear(limit.getUTCFullYear() + 1)
  return now > limit
}

/** `11/21/2026, 3:04 PM EST`: a deadline needs its time zone. */
export const formatDateTime = (iso: string): string => usDateTime.format(new Date(iso))

/** `Saturday, November 21, 2026`, above what happened on that day. */
export const formatDay = (iso: string): string => usDay.format(new Date(iso))

/** `Sep 7` for the date `2026-09-07`. */
export const formatMonthDay = (date: string): string => usMonthDay.format(new Date(date))

/** `3:04 PM`, for use after a date. */
export const formatTime = (iso: string): string => usTime.format(new Date(iso))

/** `Nov 24, 3:04 PM EST`: a deadline within days, in `zone` or the local time zone. */
export const formatDeadline = (iso: string, zone?: string): string =>
  (zone === undefined
    ? usDeadline
    : new Intl.DateTimeFormat('en-US', { ...deadline, timeZone: zone })
  ).format(new Date(iso))

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** `Wed, Nov 25, 2026, 3:00 PM` for `2026-11-25T15:00:00-05:00`: local time at that place. */
export const formatWallTime = (iso: string): string => {
  const wall = new Date(`${iso.slice(0, 19).replace(/Z?$/, '')}Z`)
  return `${usWall.format(wall)}${iso.endsWith('Z') ? ' UTC' : ''}`
}

/** Formats milliseconds: `2 days, 23 hours`, `47 hours, 59 minutes`, `1 minute`, `less than a minute`. */
export function formatDuration(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000)
  if (minutes < 1) return 'less than a minute'
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return formatParts([hours, 'hour'], [minutes % 60, 'minute'])
  return formatParts([Math.floor(hours / 24), 'day'], [hours % 24, 'hour'])
}

/** Formats milliseconds to the next second: `12 minutes, 5 seconds`. */
export function formatSeconds(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return formatParts([Math.floor(seconds / 60), 'minute'], [seconds % 60, 'second'])
}

const formatParts = (...parts: [count: number, unit: string][]): string =>
  parts.flatMap(([count, unit]) => (count > 0 ? plural(count, unit) : [])).join(', ')
