import { expect, test } from 'vitest'
import { keptOf, numberOf, textAtRest } from './number-text.ts'

const typed = (given: string) => numberOf(keptOf(given))

test('a number is grouped by thousands when its field asks for it and is not being edited', () => {
  expect(textAtRest(9500, true)).toBe('9,500')
  expect(textAtRest(9500.5, true)).toBe('9,500.5')
  expect(textAtRest(2003, false)).toBe('2003')
  expect(textAtRest('', true)).toBe('')
  expect(textAtRest(null, true)).toBe('')
})

test('grouped text can be edited directly, because its commas are not part of the number', () => {
  for (const value of [7, 950, 9500, 9500.5, 1_234_567]) {
    const rest = textAtRest(value, true)
    expect(keptOf(rest)).toBe(rest)
    expect(typed(rest)).toBe(value)
  }
  expect(typed('9,5001')).toBe(95001)
})

test('characters that no number contains are dropped from pasted text', () => {
  expect(keptOf(' $9,500.50 USD')).toBe('9,500.50')
  expect(typed(' $9,500.50 USD')).toBe(9500.5)
  expect(typed('-12')).toBe(12)
})

test('empty or incomplete text is not a number', () => {
  for (const given of ['', 'none', ',', '.', '1.2.3']) expect(typed(given)).toBe('')
})
