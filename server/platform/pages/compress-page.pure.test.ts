import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressPage, createPackedPageCache } from './compress-page.ts'

const beginning = `<style>${'.brand { color: #125; } '.repeat(400)}</style>`

test.each([
  ['with a shared beginning', beginning, '<title>“Ω” car</title><p>words</p>'],
  ['without a shared beginning', '', '<p>words</p>'],
  ['without a rest', beginning, ''],
  ['that begins with multibyte characters', '<title>“Ω”</title>', '<p>ω</p>'],
])('compresses a page %s into one gzip stream', (_, beginning, rest) => {
  for (const time of ['first', 'second'])
    expect(gunzipSync(compressPage({ beginning, rest })).toString(), time).toBe(beginning + rest)
})

test('renders a page again when its data has changed', () => {
  let rendered = 0
  const pack = createPackedPageCache(
    (car: { price: number }) => ({ beginning, rest: `${car.price} ${++rendered}` }),
    2,
  )
  const priceIn = (price: number) => gunzipSync(pack({ price })).toString().slice(beginning.length)
  expect([priceIn(1), priceIn(1), priceIn(2), priceIn(1)]).toEqual(['1 1', '1 1', '2 2', '1 1'])
  // The least recently used of three is evicted.
  expect([priceIn(3), priceIn(1), priceIn(2)]).toEqual(['3 3', '1 1', '2 4'])
})
