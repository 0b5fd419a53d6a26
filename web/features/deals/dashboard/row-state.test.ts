import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { formatDeadline } from '@keyturn/contract/shared/dates.ts'
import { dollarsToCents } from '@keyturn/contract/shared/money.ts'
import { describe, expect, test } from 'vitest'
import { type Row, rowState, sortTurnFirst } from './row-state.ts'

const deal = {
  price: dollarsToCents(14_900),
  proposedPrice: null,
  isPaused: false,
  sellerSigned: false,
  buyerSigned: false,
  exclusiveUntil: null,
  exclusivityExpired: false,
  passedAt: null,
  dealerStep: null,
}
const row = (more: Partial<Row>): Row => ({
  status: 'PENDING',
  buyerId: null,
  taken: false,
  soldElsewhere: false,
  calledOffSales: [],
  askingPrice: dollarsToCents(15_500),
  deal: null,
  agreedPrice: null,
  waitingOffers: 0,
  bestOffer: null,
  deniedRequests: 0,
  dealerName: 'AutoNation',
  ...more,
})
const noteOf = (side: Party, given: Row) => rowState(given, side).noteOf(given)
const pricesOf = (side: Party, given: Row) => rowState(given, side).pricesOf(given)
const somebody = 'a'.repeat(24)
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
const documentAsked = {
  ...passed,
  dealerStep: { step: 'needsDocument', at: until, document: 'The second key' } as const,
}

// R-deals-58
describe('next to the status', () => {
  test.each<[string, Partial<Row>]>([
    ['Listed', {}],
    ['1 request turned down', { deniedRequests: 1 }],
    ['2 requests turned down', { deniedRequests: 2 }],
    ['Called off by AutoNation', { calledOffSales: [calledOff] }],
    [
      '1 offer, $14,900',
      { calledOffSales: [calledOff], deal, waitingOffers: 1, bestOffer: dollarsToCents(14_900) },
    ],
    ['1 offer, $14,900', { deal, waitingOffers: 1, bestOffer: dollarsToCents(14_900), deniedRequests: 1 }],
    ['3 offers, best $14,900', { deal, waitingOffers: 3, bestOffer: dollarsToCents(14_900) }],
    ['This deal is paused.', { deal: { ...deal, isPaused: true } }],
    // The other requests can be answered.
    [
      '1 offer, $14,900',
      { deal: { ...deal, isPaused: true }, waitingOffers: 1, bestOffer: dollarsToCents(14_900) },
    ],
    ['You haven’t signed yet', { status: 'ACCEPTED', deal }],
    [
      `Buyer signs by ${formatDeadline(until)}`,
      { status: 'ACCEPTED', deal: { ...deal, sellerSigned: true, exclusiveUntil: until } },
    ],
    ['Passed to AutoNation', { status: 'ACCEPTED', deal: passed }],
    ['AutoNation asked both of you for a document', { status: 'ACCEPTED', deal: documentAsked }],
    ['', { status: 'COMPLETED', deal: passed }],
  ])('a seller reads %j', (words, more) => {
    expect(noteOf('SELLER', row(more))).toBe(words)
  })

  test.each<[string, Partial<Row>]>([
    ['', { status: null, deal: { ...deal, price: null } }],
    ['You haven’t signed yet', { deal }],
    ['The seller proposes $15,000', { deal: { ...deal, proposedPrice: dollarsToCents(15_000) } }],
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
  ])('a buyer reads %j', (words, more) => {
    expect(noteOf('BUYER', row(more))).toBe(words)
  })
})

// R-deals-58
describe('the current price is named', () => {
  const asking = { cents: dollarsToCents(15_500), name: 'asking price' }
  const agreed = { cents: dollarsToCents(14_900), name: 'agreed price' }
  const two = { waitingOffers: 2, bestOffer: dollarsToCents(15_000) }
  const agreedPrice = dollarsToCents(14_900)

  test('shows a seller the asking price next to the best offer, then the agreed price', () => {
    expect(pricesOf('SELLER', row({}))).toEqual([asking])
    expect(pricesOf('SELLER', row({ deal, ...two }))).toEqual([
      asking,
      { cents: dollarsToCents(15_000), name: 'best offer' },
    ])
    expect(
      pricesOf('SELLER', row({ askingPrice: null, waitingOffers: 1, bestOffer: dollarsToCents(14_900) })),
    ).toEqual([
      { cents: null, name: 'asking price' },
      { cents: dollarsToCents(14_900), name: 'offer' },
    ])
    // Other requests stay open in case the confirmed buyer leaves.
    expect(pricesOf('SELLER', row({ status: 'ACCEPTED', deal, agreedPrice, ...two }))).toEqual([agreed])
    expect(pricesOf('SELLER', row({ status: 'COMPLETED', deal, agreedPrice }))).toEqual([agreed])
  })

  test('for a buyer: the asking price next to their own offer, then the agreed price', () => {
    expect(pricesOf('BUYER', row({ status: null, deal: { ...deal, price: null } }))).toEqual([asking])
    expect(pricesOf('BUYER', row({ deal }))).toEqual([
      asking,
      { cents: dollarsToCents(14_900), name: 'your offer' },
    ])
    expect(pricesOf('BUYER', row({ status: 'ACCEPTED', deal, agreedPrice }))).toEqual([agreed])
  })
})

const signed = (more: Partial<typeof deal>) => ({ deal: { ...deal, ...more } })
const nextOf = (side: Party, more: Partial<Row>) => rowState(row(more), side).nextOf(row(more))

// R-deals-48, R-deals-50
test.each<[string, Partial<Row>, string, boolean]>([
  ['sharing, while nobody asks', {}, 'Share link', false],
  ['the request that waits', { buyerId: somebody }, 'Review request', true],
  ['the requests that wait', { buyerId: somebody, waitingOffers: 2 }, 'Review requests', true],
  ['signing, once confirmed', { status: 'ACCEPTED', ...signed({}) }, 'Sign agreement', true],
  ['the deal, once signed', { status: 'ACCEPTED', ...signed({ sellerSigned: true }) }, 'Open deal', false],
  ['the deal, when it is done', { status: 'COMPLETED' }, 'View deal', false],
])("a seller's row leads to %s", (_, more, label, isMine) => {
  expect(nextOf('SELLER', more)).toEqual({ label, isMine })
})

// R-deals-48, R-deals-49
test.each<[string, Partial<Row>, string, boolean]>([
  ['the wizard that was left', { status: null }, 'Continue purchase', true],
  ['signing the offer', signed({}), 'Sign agreement', true],
  ['the deal, once signed', signed({ buyerSigned: true }), 'View deal', false],
  ['waiting, once the 72 hours have ended', signed({ exclusivityExpired: true }), 'View deal', false],
  ["the seller's answer", { status: 'REJECTED' }, 'See answer', true],
  ['the deal, while another buyer is confirmed', { status: null, taken: true }, 'View deal', false],
  [
    "the seller's answer, also while another is confirmed",
    { status: 'REJECTED', taken: true },
    'See answer',
    true,
  ],
  [
    'signing, once accepted',
    { status: 'ACCEPTED', ...signed({ sellerSigned: true }) },
    'Sign agreement',
    true,
  ],
  [
    'the price that the seller proposes',
    { deal: { ...deal, proposedPrice: dollarsToCents(15_000) } },
    'Answer proposal',
    true,
  ],
  ['the deal, when it is done', { status: 'COMPLETED' }, 'View deal', false],
])("a buyer's row leads to %s", (_, more, label, isMine) => {
  expect(nextOf('BUYER', more)).toMatchObject({ label, isMine })
})

// R-deals-101
test('says why it is the buyer’s turn where no note does', () => {
  expect(nextOf('BUYER', { status: null }).reason).toBe('Pick up where you left off')
  expect(nextOf('BUYER', { status: 'REJECTED' }).reason).toBe('The seller has turned down your request.')
})

const sorted = (side: Party, rows: Record<string, Partial<Row>>) =>
  sortTurnFirst(
    Object.entries(rows).map(([name, more]) => ({ name, ...row(more) })),
    side,
  )
    .map(({ name }) => name)
    .join(', ')

// R-deals-48
test('sorts rows with the person’s turn first and finished ones last, and keeps the order otherwise', () => {
  expect(
    sorted('SELLER', {
      done: { status: 'COMPLETED' },
      waits: {},
      asked: { buyerId: somebody },
      'waits too': { status: 'ACCEPTED', ...signed({ sellerSigned: true }) },
      'to sign': { status: 'ACCEPTED', ...signed({}) },
    }),
  ).toBe('asked, to sign, waits, waits too, done')
})

test('sorts a car that was sold to another buyer last', () => {
  expect(
    sorted('BUYER', {
      bought: { status: 'COMPLETED' },
      lost: { soldElsewhere: true, ...signed({}) },
      waits: signed({ buyerSigned: true }),
    }),
  ).toBe('waits, bought, lost')
})
