import { expect, test } from 'vitest'
import {
  carLink,
  isBrokenLink,
  packageLink,
  parseSearch,
  resetLink,
  stringifySearch,
  verifyLink,
  viewLink,
} from './search.ts'

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
  expect(carLink({ userId: id, vin: ' 1hgcm82633a004352 ' })).toEqual({
    userId: id,
    vin: '1HGCM82633A004352',
  })
  expect(carLink({ userId: 'me', vin: '   ' })).toEqual({})
  expect(carLink({ userId: 7, vin: ['a'] })).toEqual({})
  expect(packageLink({ pkgId: id.toUpperCase(), other: 1 })).toEqual({ pkgId: id })
  expect(packageLink({ pkgId: 'ABCDEFABCDEFABCDEFABCDEF' })).toEqual({})
})

// R-cars-15
test('reports a link as broken when its seller or car is impossible, but not when it names none', () => {
  const vin = '1HGCM82633A004352'
  expect(isBrokenLink({})).toBe(false)
  expect(isBrokenLink({ userId: id, vin })).toBe(false)
  expect(isBrokenLink({ vin: ' 1hgcm82633a004352 ' })).toBe(false)
  expect(isBrokenLink({ userId: '', vin: '' })).toBe(false)
  for (const userId of ['me', id.slice(1), `${id}0`, id.toUpperCase().replace('0', 'G'), 7])
    expect(isBrokenLink({ userId, vin }), String(userId)).toBe(true)
  for (const wrong of ['1HGCM82633', `${vin}1`, '1HGCM82633A0O4352', '<b>bold</b>', '   '])
    expect(isBrokenLink({ userId: id, vin: wrong }), wrong).toBe(true)
})

test('reads the code of an emailed link, and the expiry of a reset link', () => {
  expect(verifyLink({ code: 'aB-_', vin: '1HG', userId: id })).toEqual({
    code: 'aB-_',
    vin: '1HG',
    userId: id,
  })
  expect(resetLink({ code: 'x', exp: '1795255375348' })).toEqual({ code: 'x', exp: 1795255375348 })
  expect(resetLink({ code: '', exp: 'soon' })).toEqual({})
  expect(resetLink({ code: 'x', exp: '-1' })).toEqual({ code: 'x' })
})

test('returns undefined for invalid values, so that the raw address does not show through', () => {
  for (const link of [carLink, verifyLink, resetLink, packageLink, viewLink]) {
    const typed = { userId: 'me', vin: ' ', code: 7, exp: 'soon', pkgId: 'x', view: 'flying' }
    const names = Object.keys(link(typed))
    expect(names.length).toBeGreaterThan(0)
    expect({ ...typed, ...link(typed) }).toMatchObject(
      Object.fromEntries(names.map((name) => [name, undefined])),
    )
  }
})

test('accepts only the two known views', () => {
  expect(viewLink({ view: 'buying' })).toEqual({ view: 'buying' })
  expect(viewLink({ view: 'flying' })).toEqual({})
})
