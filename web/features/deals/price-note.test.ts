import { cents } from '@keyturn/contract/shared/money.ts'
import { expect, test } from 'vitest'
import { priceNote } from './price-note.ts'

const [offer, asking] = [cents(1_750_000), cents(1_850_000)]

test('names the price in a header', () => {
  expect(priceNote({ status: null, price: null, askingPrice: asking })).toBe('asking price')
  expect(priceNote({ status: 'PENDING', price: offer, askingPrice: asking })).toBe(
    'your offer, asking\u00a0price\u00a0$18,500',
  )
  expect(priceNote({ status: 'ACCEPTED', price: asking, askingPrice: asking })).toBe('agreed price')
  expect(priceNote({ status: 'REJECTED', price: offer, askingPrice: null })).toBe('your offer')
})

test('returns nothing when there is no price', () => {
  expect(priceNote({ status: null, price: null, askingPrice: null })).toBe('')
})
