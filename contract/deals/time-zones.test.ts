import { expect, test } from 'vitest'
import { findZone, localDay } from './time-zones.ts'

const late = new Date('2026-11-21T04:30:00Z')

// R-deals-104
test.each([
  ['Denver', { state: 'CO', zip: '80202' }, '2026-11-20', 'Mountain Time'],
  ['New York', { state: 'NY', zip: '10001' }, '2026-11-20', 'Eastern Time'],
  ['Guam', { state: 'GU', zip: '96910' }, '2026-11-21', 'Chamorro Time'],
  ['a state without a ZIP code', { state: 'HI', zip: null }, '2026-11-20', 'Hawaii–Aleutian Time'],
  ['a military address', { state: 'AE', zip: '09001' }, '2026-11-21', 'UTC'],
  ['an unknown place', { state: null, zip: null }, '2026-11-21', 'UTC'],
])('dates 4:30 AM UTC by the calendar of %s', (_, place, day, zone) => {
  expect(localDay(late, place)).toEqual({ day, zone })
})

test('follows daylight saving time, which Arizona does not have', () => {
  const summer = new Date('2026-07-01T06:30:00Z')
  expect(localDay(summer, { state: 'CO', zip: '80202' }).day).toBe('2026-07-01')
  expect(localDay(summer, { state: 'AZ', zip: '85001' }).day).toBe('2026-06-30')
})

test.each([
  ['FL', '32801 32456', 'America/New_York', '32401 32501', 'America/Chicago'],
  ['TN', '37902 37402', 'America/New_York', '37201 38103 37388 37723', 'America/Chicago'],
  [
    'KY',
    '40202 40507 40108 42701 42718 42539 42633',
    'America/New_York',
    '42101 42001 42728 42743 42765 42754 40119 42717 42629 42602 40143',
    'America/Chicago',
  ],
  ['IN', '46204 46601', 'America/New_York', '46402 47708 46531 46532 47525', 'America/Chicago'],
  ['MI', '48226 49855', 'America/New_York', '49801 49938 49845', 'America/Chicago'],
  ['TX', '77002 79830', 'America/Chicago', '79901 88510 79838', 'America/Denver'],
  ['KS', '66603', 'America/Chicago', '67735', 'America/Denver'],
  ['NE', '68102 69101', 'America/Chicago', '69361 69153 69190', 'America/Denver'],
  ['SD', '57104 57501 57601', 'America/Chicago', '57701 57638 57574 57577', 'America/Denver'],
  ['ND', '58102 58501 58631', 'America/Chicago', '58601 58564', 'America/Denver'],
  ['ID', '83702 83549', 'America/Boise', '83814 83501', 'America/Los_Angeles'],
  ['OR', '97201 97905 97907', 'America/Los_Angeles', '97914', 'America/Boise'],
  ['NV', '89101', 'America/Los_Angeles', '89883', 'America/Boise'],
  ['AK', '99501', 'America/Anchorage', '99546', 'America/Adak'],
])('tells the two zones of %s apart by the ZIP code', (state, ones, one, others, other) => {
  for (const zip of ones.split(' ')) expect([zip, findZone({ state, zip })]).toEqual([zip, one])
  for (const zip of others.split(' ')) expect([zip, findZone({ state, zip })]).toEqual([zip, other])
})

test('has a zone for each state and D.C.', () => {
  const states =
    'AL AK AZ AR CA CO CT DC DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'
  for (const state of states.split(' '))
    expect([state, findZone({ state, zip: null })]).not.toEqual([state, 'UTC'])
})
