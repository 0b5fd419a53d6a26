import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packAround, packLately } from './packing.ts'

const still = '.brand { color: #125; } '.repeat(400)

test.each([
  ['around the part that is in every page', `<title>“Ω” car</title><style>${still}</style><p>words</p>`],
  ['that does not have it', '<p>words</p>'],
  ['that is nothing but that part', still],
])('a page %s is one gzip stream', (_, html) => {
  expect(gunzipSync(packAround(still, html)).toString()).toBe(html)
})

test('a page is rendered again once anything that it shows is another', () => {
  let rendered = 0
  const pack = packLately((car: { price: number }) => `${still}${car.price} ${++rendered}`, still, 2)
  const priceIn = (price: number) => gunzipSync(pack({ price })).toString().slice(still.length)
  expect([priceIn(1), priceIn(1), priceIn(2), priceIn(1)]).toEqual(['1 1', '1 1', '2 2', '1 1'])
  // Of three the one that was asked for longest ago is forgotten.
  expect([priceIn(3), priceIn(1), priceIn(2)]).toEqual(['3 3', '1 1', '2 4'])
})
