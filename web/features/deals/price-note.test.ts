import { cents } from '@keyturn/contract/shared/money.ts'
import { expect, test } from 'vitest'
import { priceNote } from './price-note.ts'

const [offer, asking] = [cents(1_750_000), cents(1_850_000)]

test('names the price in a header', () => {
  expect(priceNote({ status: null, price: null, askingPrice: asking })).toEqual(['asking price'])
  expect(priceNote({ status: 'PENDING', price: offer, askingPrice: asking })).toEqual([
    'your offer',
    'asking\u00a0price\u00a0$18,500',
  ])
  expect(priceNote({ status: 'ACCEPTED', price: asking, askingPrice: asking })).toEqual(['agreed price'])
  expect(priceNote({ status: 'REJECTED', price: offer, askingPrice: null })).toEqual(['your offer'])
})

test('returns nothing when there is no price', () => {
  expect(priceNote({ status: null, price: null, askingPrice: null })).toEqual([])
})
