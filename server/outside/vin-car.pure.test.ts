import { describe, expect, test } from 'vitest'
import { writtenMake, writtenTrim } from './vin-car.ts'

describe('a make is written as people write it', () => {
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
  ])('%j: %j', (stored, written) => {
    expect(writtenMake(stored)).toBe(written)
  })
})

describe('a trim stands on one line', () => {
  test.each([
    ['EX', 'EX'],
    ['R/T', 'R/T'],
    ['L/LE/SE', 'L/LE/SE'],
    ['EX,  EX-N ', 'EX, EX-N'],
    ['', ''],
    ['Sport / Sport w/ Premium Pkg, Sport w/ Tech Pkg / Limited', ''],
  ])('%j: %j', (stored, written) => {
    expect(writtenTrim(stored)).toBe(written)
  })
})
