import { formatDeadline } from '@keyturn/contract/shared/dates.ts'
import { dollars } from '@keyturn/contract/shared/money.ts'
import { describe, expect, test } from 'vitest'
import { buyersPrices, buyersWords, type Row, sellersPrices, sellersWords } from './row-words.ts'

const deal = {
  price: dollars(14_900),
  sellerSigned: false,
  buyerSigned: false,
  exclusiveUntil: null,
  exclusivityExpired: false,
  passedAt: null,
}
const row = (more: Partial<Row>): Row => ({
  status: 'PENDING',
  buyerId: null,
  taken: false,
  soldElsewhere: false,
  calledOffSales: [],
  askingPrice: dollars(15_500),
  deal: null,
  agreedPrice: null,
  waitingOffers: 0,
  bestOffer: null,
  dealerName: 'AutoNation',
  ...more,
})
const calledOff = {
  _id: 'd'.repeat(24),
  buyerId: 'b'.repeat(24),
  buyer: 'Basil Buyer',
  dealer: 'AutoNation',
  reason: 'A lien.',
  at: '2026-11-20T20:04:00.000Z',
}
const until = '2026-11-24T20:04:00.000Z'
const passed = { ...deal, sellerSigned: true, buyerSigned: true, passedAt: until }

// R-deals-58
describe('the words beside the status', () => {
  test.each<[string, Partial<Row>]>([
    ['No request yet', {}],
    ['Called off by AutoNation', { calledOffSales: [calledOff] }],
    ['1 offer, $14,900', { calledOffSales: [calledOff], deal, waitingOffers: 1, bestOffer: dollars(14_900) }],
    ['1 offer, $14,900', { deal, waitingOffers: 1, bestOffer: dollars(14_900) }],
    ['3 offers, best $14,900', { deal, waitingOffers: 3, bestOffer: dollars(14_900) }],
    ['Your signature is missing', { status: 'ACCEPTED', deal }],
    [
      `Buyer signs by ${formatDeadline(until)}`,
      { status: 'ACCEPTED', deal: { ...deal, sellerSigned: true, exclusiveUntil: until } },
    ],
    ['Passed to AutoNation', { status: 'ACCEPTED', deal: passed }],
    ['', { status: 'COMPLETED', deal: passed }],
  ])('are for a seller: %j', (words, more) => {
    expect(sellersWords(row(more))).toBe(words)
  })

  test.each<[string, Partial<Row>]>([
    ['', { status: null, deal: { ...deal, price: null } }],
    ['Your signature is missing', { deal }],
    ['Waiting for the seller', { deal: { ...deal, buyerSigned: true } }],
    ['The 72 hours ended. The seller has to confirm again.', { deal: { ...deal, exclusivityExpired: true } }],
    ['Sale pending with another buyer', { deal, taken: true }],
    ['', { status: 'REJECTED', deal, taken: true }],
    [
      `Sign by ${formatDeadline(until)}`,
      { status: 'ACCEPTED', deal: { ...deal, sellerSigned: true, exclusiveUntil: until } },
    ],
    ["Waiting for the seller's signature", { status: 'ACCEPTED', deal: { ...deal, buyerSigned: true } }],
    ['Passed to AutoNation', { status: 'ACCEPTED', deal: passed }],
  ])('are for a buyer: %j', (words, more) => {
    expect(buyersWords(row(more))).toBe(words)
  })
})

// R-deals-58
describe('the current price and its name', () => {
  const asking = { cents: dollars(15_500), name: 'asking price' }
  const agreed = { cents: dollars(14_900), name: 'agreed price' }
  const two = { waitingOffers: 2, bestOffer: dollars(15_000) }
  const agreedPrice = dollars(14_900)

  test('are for a seller the asking price with the best offer, then the agreed price', () => {
    expect(sellersPrices(row({}))).toEqual([asking])
    expect(sellersPrices(row({ deal, ...two }))).toEqual([
      asking,
      { cents: dollars(15_000), name: 'best offer' },
    ])
    expect(sellersPrices(row({ askingPrice: null, waitingOffers: 1, bestOffer: dollars(14_900) }))).toEqual([
      { cents: null, name: 'asking price' },
      { cents: dollars(14_900), name: 'offer' },
    ])
    // Other requests remain, in case the confirmed buyer leaves.
    expect(sellersPrices(row({ status: 'ACCEPTED', deal, agreedPrice, ...two }))).toEqual([agreed])
    expect(sellersPrices(row({ status: 'COMPLETED', deal, agreedPrice }))).toEqual([agreed])
  })

  test('are for a buyer the asking price with their own offer, then the agreed price', () => {
    expect(buyersPrices(row({ status: null, deal: { ...deal, price: null } }))).toEqual([asking])
    expect(buyersPrices(row({ deal }))).toEqual([asking, { cents: dollars(14_900), name: 'your offer' }])
    expect(buyersPrices(row({ status: 'ACCEPTED', deal, agreedPrice }))).toEqual([agreed])
  })
})
