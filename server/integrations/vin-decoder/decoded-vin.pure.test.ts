import { expect, test } from 'vitest'
import { formatMake } from './decoded-vin.ts'

test.each([
  ['smart', 'smart'],
  ['AM General', 'AM General'],
  ['HONDA', 'Honda'],
  ['LAND ROVER', 'Land Rover'],
  ['MERCEDES-BENZ', 'Mercedes-Benz'],
  ['NIKOLA ', 'Nikola'],
  ['BMW', 'BMW'],
  ['MINI', 'MINI'],
  ['CAN-AM', 'Can-Am'],
  ['CHOPPER ALLEY LLC', 'Chopper Alley LLC'],
])('formats the make %j as %j', (stored, written) => {
  expect(formatMake(stored)).toBe(written)
})
