import { expect, test } from 'vitest'
import { formatOnBlur, isDigitEdit, readNumber } from './number-text.ts'

// R-everywhere-34
test.each([
  ['6500', 6500],
  ['6,500', 6500],
  ['1,234,567', 1_234_567],
  ['6 500', 6500],
  ['6\u00a0500', 6500],
  ['$6500', 6500],
  [' $6,500 ', 6500],
  ['$ 6,500.00 USD', 6500],
  ['6500 dollars', 6500],
  ['6500.', 6500],
  ['9,500.50', 9500.5],
  ['54,000 miles', 54_000],
  ['54000 mi', 54_000],
  ['02139', 2139],
])('reads %j as %d', (typed, number) => {
  expect(readNumber(typed)).toBe(number)
})

const signs = '-100 +100 1e5 0x10 Infinity 6k 6.5k 6000-7000 $ . .5 12345678901234567 ६५०० ６५००'
const groups = '6.500 6.500,00 6,50 65,00 6,5001 1,23,456 12,400, 6.5.0'
const ambiguous = [...`${signs} ${groups}`.split(' '), '1,234 567', 'about 6500']

// R-everywhere-34
test.each(ambiguous)('returns the ambiguous text %j unchanged', (typed) => {
  expect(readNumber(typed)).toBe(typed)
})

test('reads no number from an empty field', () => {
  for (const typed of ['', '  ', '\u00a0']) expect(readNumber(typed)).toBe('')
})

test('groups thousands when the field asks for it and is not being edited', () => {
  expect(formatOnBlur(9500, true)).toBe('9,500')
  expect(formatOnBlur(9500.5, true)).toBe('9,500.5')
  expect(formatOnBlur(2003, false)).toBe('2003')
  expect(formatOnBlur('', true)).toBe('')
  expect(formatOnBlur(null, true)).toBe('')
})

test('shows unreadable text as typed, in grouped and plain fields', () => {
  expect(formatOnBlur('6.500', true)).toBe('6.500')
  expect(formatOnBlur('1e5', false)).toBe('1e5')
})

test('ignores the commas of grouped text while it is edited', () => {
  for (const value of [7, 950, 9500, 9500.5, 1_234_567])
    expect(readNumber(formatOnBlur(value, true))).toBe(value)
})

test('accepts added and removed digits in grouped text, even when they break the groups', () => {
  for (const [before, now] of [
    ['9,500', '9,5001'],
    ['9,500', '9,50'],
    ['9,500', '19,500'],
    ['12,500', '2,500'],
    ['9,500', '9,700'],
  ] as const)
    expect(isDigitEdit(before, now), now).toBe(true)
})

test('reads text that replaces a number on its own', () => {
  for (const now of ['6,50', '-100', '9.500', '9,500-', '1e5'])
    expect(isDigitEdit('9,500', now), now).toBe(false)
})
