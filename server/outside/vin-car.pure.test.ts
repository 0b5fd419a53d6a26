import { expect, test } from 'vitest'
import { writtenMake } from './vin-car.ts'

test.each([
  ['Honda', 'Honda'],
  ['smart', 'smart'],
  ['Mercedes-Benz', 'Mercedes-Benz'],
  ['AM General', 'AM General'],
  ['HONDA', 'Honda'],
  ['LAND ROVER', 'Land Rover'],
  ['MERCEDES-BENZ', 'Mercedes-Benz'],
  ['RIVIAN', 'Rivian'],
  ['NIKOLA ', 'Nikola'],
  ['BMW', 'BMW'],
  ['GMC', 'GMC'],
  ['BYD', 'BYD'],
  ['MINI', 'MINI'],
  ['CAN-AM', 'Can-Am'],
  ['CHOPPER ALLEY LLC', 'Chopper Alley LLC'],
])('the make %j is written as people write it: %j', (stored, written) => {
  expect(writtenMake(stored)).toBe(written)
})
