import { expect, test } from 'vitest'
import {
  isBrokenCarLink,
  parseCarSearch,
  parsePackageSearch,
  parseResetSearch,
  parseSearch,
  parseVerifySearch,
  parseViewSearch,
  stringifySearch,
} from './search-params.ts'

const id = '123456789012345678901234'

test('keeps a numeric value as text in both directions', () => {
  const address = `?userId=${id}&vin=12345678901`
  expect(parseSearch(address)).toEqual({ userId: id, vin: '12345678901' })
  expect(stringifySearch(parseSearch(address))).toBe(address)
})

test('omits missing values from the address', () => {
  expect(stringifySearch({ userId: undefined, vin: '' })).toBe('')
})

test("reads a seller's id and a car's VIN from a link, and treats anything else as missing", () => {
  expect(parseCarSearch({ userId: id, vin: ' 1hgcm82633a004352 ' })).toEqual({
    userId: id,
    vin: '1HGCM82633A004352',
  })
  expect(parseCarSearch({ userId: 'me', vin: '   ' })).toEqual({})
  expect(parseCarSearch({ userId: 7, vin: ['a'] })).toEqual({})
  expect(parsePackageSearch({ pkgId: id.toUpperCase(), other: 1 })).toEqual({ pkgId: id })
  expect(parsePackageSearch({ pkgId: 'ABCDEFABCDEFABCDEFABCDEF' })).toEqual({})
})

// R-cars-15
test('reports a link as broken when its seller or car is impossible, but not when it names none', () => {
  const vin = '1HGCM82633A004352'
  expect(isBrokenCarLink({})).toBe(false)
  expect(isBrokenCarLink({ userId: id, vin })).toBe(false)
  expect(isBrokenCarLink({ vin: ' 1hgcm82633a004352 ' })).toBe(false)
  expect(isBrokenCarLink({ userId: '', vin: '' })).toBe(false)
  for (const userId of ['me', id.slice(1), `${id}0`, id.toUpperCase().replace('0', 'G'), 7])
    expect(isBrokenCarLink({ userId, vin }), String(userId)).toBe(true)
  for (const wrong of ['1HGCM82633', `${vin}1`, '1HGCM82633A0O4352', '<b>bold</b>', '   '])
    expect(isBrokenCarLink({ userId: id, vin: wrong }), wrong).toBe(true)
})

test('reads the code of an emailed link, and the expiry of a reset link', () => {
  expect(parseVerifySearch({ code: 'aB-_', vin: '1HG', userId: id })).toEqual({
    code: 'aB-_',
    vin: '1HG',
    userId: id,
  })
  expect(parseResetSearch({ code: 'x', exp: '1795255375348' })).toEqual({ code: 'x', exp: 1795255375348 })
  expect(parseResetSearch({ code: '', exp: 'soon' })).toEqual({})
  expect(parseResetSearch({ code: 'x', exp: '-1' })).toEqual({ code: 'x' })
})

test('returns undefined for invalid values, so that the raw address does not show through', () => {
  for (const link of [
    parseCarSearch,
    parseVerifySearch,
    parseResetSearch,
    parsePackageSearch,
    parseViewSearch,
  ]) {
    const typed = { userId: 'me', vin: ' ', code: 7, exp: 'soon', pkgId: 'x', view: 'flying' }
    const names = Object.keys(link(typed))
    expect(names.length).toBeGreaterThan(0)
    expect({ ...typed, ...link(typed) }).toMatchObject(
      Object.fromEntries(names.map((name) => [name, undefined])),
    )
  }
})

test('accepts only the two known views', () => {
  expect(parseViewSearch({ view: 'buying' })).toEqual({ view: 'buying' })
  expect(parseViewSearch({ view: 'flying' })).toEqual({})
})
