import { expect, test } from 'vitest'
import { appointmentCalendar } from './appointment-calendar.ts'

const entry = {
  id: 'pkg-1',
  title: 'Rivera, Inc.: 2017 Jeep Wrangler',
  place: '200 Broadway; Cambridge, MA',
  time: '2026-11-25T15:00:00-05:00',
  url: 'https://keyturn.example/car/seller?userId=1&vin=2',
}
const now = new Date('2026-11-20T09:30:00.123Z')

test('writes an appointment in universal time, with escaped text', () => {
  expect(appointmentCalendar(entry, now).split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Keyturn//Appointments//EN',
    'BEGIN:VEVENT',
    'UID:pkg-1@keyturn',
    'DTSTAMP:20261120T093000Z',
    'DTSTART:20261125T200000Z',
    'DTEND:20261125T210000Z',
    'SUMMARY:Rivera\\, Inc.: 2017 Jeep Wrangler',
    'LOCATION:200 Broadway\\; Cambridge\\, MA',
    'URL:https://keyturn.example/car/seller?userId=1&vin=2',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('folds long lines at 75 bytes without cutting a character', () => {
  const place = `${'東京都'.repeat(40)}\nDoor 2`
  const file = appointmentCalendar({ ...entry, place }, now)
  for (const line of file.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(file.replaceAll('\r\n ', '')).toContain(`LOCATION:${place.replace('\n', '\\n')}\r\n`)
})
