import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeCheckDigit, hasValidCheckDigit, isTooShortForYear, isVinShape, normalizeVin } from './vin.ts'

const accord = '1HGCM82633A004352'

// R-cars-10
describe('the normal form of a VIN', () => {
  test.each([
    ['  1hgcm82633a004352 ', accord],
    ['1HG CM8263 3A004352', accord],
    ['1HG\u00a0CM8263\t3A004352\n', accord],
    ['1HG-CM8263-3A004352', accord],
    ['1HGCM‑82633–A004352', accord],
    ['VIN: 1HGCM82633A004352', accord],
    ['VIN# 1HGCM82633A004352', accord],
    ['vin 1hgcm82633a004352', accord],
    ['VIN1HGCM82633A004352', accord],
    ['VIN1HGCM-82633-A004352.', accord],
    ['1HGCM82633A004352.', accord],
    ['*1HGCM82633A004352*', accord],
    ['I1HGCM82633A004352', accord],
    ['“1HGCM82633A004352”', accord],
    ['\u202a1HGCM82633A004352\u202c\ufeff', accord],
    ['１ＨＧＣＭ82633A004352', accord],
    // This is not a copying artifact, so the VIN stays invalid.
    ['1HGCM82633A00435=', '1HGCM82633A00435='],
    ['VINCENT', 'VINCENT'],
    ['VIN', 'VIN'],
    ['', ''],
  ])('turns %j into %j', (typed, normalized) => {
    expect(normalizeVin(typed)).toBe(normalized)
  })

  test('stays the same when normalized again', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(normalizeVin(normalizeVin(text))).toBe(normalizeVin(text))
      }),
    )
  })
})

// R-cars-11
describe('the shape of a VIN', () => {
  test.each([
    [accord, true],
    ['12345678901', true],
    ['1234567890', false],
    ['1HGCM82633A0043521', false],
    ['1HGCM82633A00435I', false],
    ['1HGCM82633A00435O', false],
    ['1HGCM82633A00435Q', false],
    ['IOQ45678901', true],
    ['1hgcm82633a004352', false],
    ['1HG-CM8263-3A0043', false],
    ['1HGCM82633A00435\n', false],
    ['1HGCM82633A00435É', false],
    ['', false],
  ])('accepts %j: %s', (vin, isValid) => {
    expect(isVinShape(vin)).toBe(isValid)
  })
})

test.each([
  ['1HGCM82633A00435', 2003, true],
  ['1HGCM82633A00435', 1981, true],
  ['1HGCM82633A00435', 1980, false],
  ['1HGCM82633A00435', 0, false],
  [accord, 2003, false],
  ['1HGCM', 2003, false],
])('finds %s too short for a car of %i: %s', (vin, year, isShort) => {
  expect(isTooShortForYear(vin, year)).toBe(isShort)
})

describe('the check digit', () => {
  test.each([
    [accord, '3'],
    ['1M8GDM9AXKP042788', 'X'],
    ['11111111111111111', '1'],
    ['5GZCZ43D13S812715', '1'],
    ['1HGCM82643A004352', '3'],
    ['12345678901', null],
    ['1HGCM82633A00435O', null],
  ])('of %s is %s', (vin, digit) => {
    expect(computeCheckDigit(vin)).toBe(digit)
  })

  // R-cars-12
  test('is accepted when it is correct or when the VIN has none', () => {
    expect(hasValidCheckDigit(accord)).toBe(true)
    expect(hasValidCheckDigit('1M8GDM9AXKP042788')).toBe(true)
    expect(hasValidCheckDigit('1HGCM82643A004352')).toBe(false)
    expect(hasValidCheckDigit('12345678901')).toBe(true)
  })

  test('detects any one mistyped digit', () => {
    const digit = fc.constantFrom(...'0123456789')
    const place = fc.constantFrom(0, 5, 6, 11, 13, 16)
    fc.assert(
      fc.property(place, digit, (at, typed) => {
        fc.pre(typed !== accord.charAt(at))
        expect(hasValidCheckDigit(accord.slice(0, at) + typed + accord.slice(at + 1))).toBe(false)
      }),
    )
  })
})
