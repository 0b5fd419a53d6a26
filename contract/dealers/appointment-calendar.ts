import { hourMs } from '../shared/dates.ts'

type CalendarEntry = {
  /** The same for every download, so that a calendar replaces an entry instead of repeating it. */
  id: string
  title: string
  place: string
  /** With its UTC offset. */
  time: string
  /** Leads back to the deal. */
  url: string
}

/** Returns an iCalendar file (RFC 5545). The dealer names no end, so an hour is blocked. */
export function appointmentCalendar({ id, title, place, time, url }: CalendarEntry, now: Date): string {
  const start = Date.parse(time)
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Keyturn//Appointments//EN',
    'BEGIN:VEVENT',
    `UID:${id}@keyturn`,
    `DTSTAMP:${formatUtc(now.getTime())}`,
    `DTSTART:${formatUtc(start)}`,
    `DTEND:${formatUtc(start + hourMs)}`,
    `SUMMARY:${escapeText(title)}`,
    `LOCATION:${escapeText(place)}`,
    `URL:${url}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(foldLine)
    .join('\r\n')
}

/** `20261125T200000Z` */
const formatUtc = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** Lines have at most 75 bytes, with the space that continues them. */
function foldLine(line: string): string {
  const lines = ['']
  for (const char of line) {
    const longer = `${lines.at(-1)}${char}`
    if (new TextEncoder().encode(longer).length > 74) lines.push(char)
    else lines[lines.length - 1] = longer
  }
  return lines.join('\r\n ')
}
