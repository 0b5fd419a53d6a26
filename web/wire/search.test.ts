import { expect, test } from 'vitest'
import {
  carLink,
  packageLink,
  parseSearch,
  resetLink,
  stringifySearch,
  verifyLink,
  viewLink,
} from './search.ts'

const id = '123456789012345678901234'

test('a value that looks like a number stays text in both directions', () => {
  const address = `?userId=${id}&vin=12345678901`
  expect(parseSearch(address)).toEqual({ userId: id, vin: '12345678901' })
  expect(stringifySearch(parseSearch(address))).toBe(address)
})

test('missing values are left out of the address', () => {
  expect(stringifySearch({ userId: undefined, vin: '' })).toBe('')
})

test('a link names a seller by an id and a car by its VIN; anything else counts as missing', () => {
  expect(carLink({ userId: id, vin: ' 1hgcm82633a004352 ' })).toEqual({
    userId: id,
    vin: '1HGCM82633A004352',
  })
  expect(carLink({ userId: 'me', vin: '   ' })).toEqual({})
  expect(carLink({ userId: 7, vin: ['a'] })).toEqual({})
  expect(packageLink({ pkgId: id.toUpperCase(), other: 1 })).toEqual({ pkgId: id })
  expect(packageLink({ pkgId: 'ABCDEFABCDEFABCDEFABCDEF' })).toEqual({})
})

test('mailed links carry a code, and a reset link also its expiry', () => {
  expect(verifyLink({ code: 'aB-_', vin: '1HG', userId: id })).toEqual({
    code: 'aB-_',
    vin: '1HG',
    userId: id,
  })
  expect(resetLink({ code: 'x', exp: '1795255375348' })).toEqual({ code: 'x', exp: 1795255375348 })
  expect(resetLink({ code: '', exp: 'soon' })).toEqual({})
  expect(resetLink({ code: 'x', exp: '-1' })).toEqual({ code: 'x' })
})

test('only the two known views are accepted', () => {
  expect(viewLink({ view: 'buying' })).toEqual({ view: 'buying' })
  expect(viewLink({ view: 'flying' })).toEqual({})
})
