import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canBecomeAmount,
  findTradeMove,
  isActiveTrade,
  isContactVisible,
  isFirstOfferDue,
  isOpenTrade,
  maxAmountCents,
  offerLifetimeMs,
  parseAmount,
  parseAmountInDollars,
  possibleTradeMoves,
  promisedOfferTimeMs,
  type TradeMoveActor,
  type TradeStatus,
  tradeEventNames,
  tradeMoveActors,
  tradeStatuses,
  waitsForOffer,
  withdrawalMs,
} from './rules.ts'
import { tradeStatusLabels, tradeTexts } from './texts.ts'

/** The table of R-trades-2 restated by hand, with the expiry after seven days. */
const allowed: Record<string, { name: string; price: string }> = {
  'PENDING -> OFFERED by WHOLESALER': { name: 'offer', price: 'given' },
  'OFFER -> OFFERED by WHOLESALER': { name: 'offer', price: 'given' },
  'OFFERED -> ACCEPTED by OWNER': { name: 'accept', price: 'kept' },
  'OFFERED -> REJECTED by OWNER': { name: 'reject', price: 'kept' },
  'OFFERED -> OFFER by OWNER': { name: 'counter', price: 'given' },
  'OFFER -> REJECTED by OWNER': { name: 'forfeit', price: 'kept' },
  'REJECTED -> PENDING by ADMIN': { name: 'reset', price: 'cleared' },
  'OFFERED -> PENDING by WHOLESALER': { name: 'withdraw', price: 'cleared' },
  'OFFERED -> PENDING by CLOCK': { name: 'expire', price: 'cleared' },
}

const triples = tradeStatuses.flatMap((from) =>
  tradeMoveActors.flatMap((by) =>
    tradeStatuses.map((wish): [TradeStatus, TradeMoveActor, TradeStatus] => [from, by, wish]),
  ),
)

// R-trades-7
test('defines offers that expire after seven days, a promise of three hours and a limit of ten million', () => {
  const hour = 3_600_000
  expect([offerLifetimeMs, promisedOfferTimeMs, withdrawalMs]).toEqual([168 * hour, 3 * hour, hour / 6])
  expect(maxAmountCents).toBe(1_000_000_000)
})

// R-trades-7
test('promises the first offer only: neither an answer to a counter nor an offer after another', () => {
  const submitted = { status: 'PENDING', createdAt: '2026-11-24T10:00:00.000Z' } as const
  const at = (movedAt: string) => ({ ...submitted, movedAt })
  expect(isFirstOfferDue(at(submitted.createdAt))).toBe(true)
  expect(isFirstOfferDue(at('2026-11-24T10:05:00.000Z'))).toBe(false)
  expect(isFirstOfferDue({ ...at(submitted.createdAt), status: 'OFFER' })).toBe(false)
})

test('has these statuses in this order (R-trades-1)', () => {
  expect(tradeStatuses).toEqual(['PENDING', 'OFFERED', 'OFFER', 'ACCEPTED', 'REJECTED'])
  expect(tradeMoveActors).toEqual(['OWNER', 'WHOLESALER', 'ADMIN', 'CLOCK'])
  expect(tradeEventNames).toEqual(
    'submit offer withdraw accept reject counter forfeit reset expire delete'.split(' '),
  )
})

describe('the moves of a trade (R-trades-2, R-trades-3)', () => {
  test.each(triples)('from %s by %s to %s are as specified', (from, by, wish) => {
    const move = findTradeMove(from, wish, [by])
    const known = allowed[`${from} -> ${wish} by ${by}`]
    expect(move && { name: move.name, price: move.price }).toEqual(known ?? null)
    expect(possibleTradeMoves(from, by).some((open) => open.to === wish)).toBe(known !== undefined)
  })

  test('combines exactly the rights of all parties that a browser is signed in as', () => {
    expect(findTradeMove('REJECTED', 'PENDING', ['OWNER', 'ADMIN'])?.by).toBe('ADMIN')
    expect(findTradeMove('OFFERED', 'ACCEPTED', ['WHOLESALER', 'ADMIN'])).toBeNull()
    expect(findTradeMove('OFFERED', 'ACCEPTED', [])).toBeNull()
  })
})

// R-trades-8
test.each([
  ['PENDING', { active: false, open: true, waits: true }],
  ['OFFERED', { active: true, open: true, waits: false }],
  ['OFFER', { active: true, open: true, waits: true }],
  ['ACCEPTED', { active: true, open: false, waits: false }],
  ['REJECTED', { active: false, open: false, waits: false }],
] as const)('gives %s the properties %j', (status, facts) => {
  expect({ active: isActiveTrade(status), open: isOpenTrade(status), waits: waitsForOffer(status) }).toEqual(
    facts,
  )
})

describe('the owner’s contact data for a wholesaler (R-trades-20)', () => {
  test.each([
    ['PENDING', null, true],
    ['OFFERED', 'me', true],
    ['OFFERED', 'another', true],
    ['OFFER', 'another', true],
    ['ACCEPTED', 'me', true],
    ['ACCEPTED', 'another', false],
    ['REJECTED', 'me', false],
    ['REJECTED', 'another', false],
  ] as const)('in status %s with the last offer by %s is visible: %s', (status, offeredBy, visible) => {
    expect(isContactVisible({ status, offeredBy }, 'me')).toBe(visible)
  })
})

describe('amounts (R-trades-9)', () => {
  test.each([
    [0.01, 1],
    [1, 100],
    [21_500.55, 2_150_055],
    [9_999_999.99, 999_999_999],
    [10_000_000, 1_000_000_000],
    [10_000_000.01, null],
    [0, null],
    [-0, null],
    [-5, null],
    [0.001, null],
    [1.005, null],
    [1e9, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])('in dollars, %d, are %s in cents', (given, expected) => {
    expect(parseAmountInDollars(given)).toBe(expected)
  })

  test('may be any whole number of cents within the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (value) => {
        expect(parseAmountInDollars(value / 100)).toBe(value)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['12000', 1_200_000],
    [' 12000.5 ', 1_200_050],
    ['12,000', null],
    ['$12000', 1_200_000],
    ['1e3', null],
    ['-5', null],
    ['+5', null],
    ['.5', null],
    ['12000.', null],
    ['12000.555', null],
    ['0', null],
    ['', null],
    ['100000000', null],
    ['twelve', null],
    ['$ 6500.50', 650_050],
    ['6.500', null],
  ])('typed as %j are %s in cents', (text, expected) => {
    expect(parseAmount(text)).toBe(expected)
  })
})

describe('labels (R-trades-1, R-trades-21)', () => {
  test('name six filters in order', () => {
    const names = [
      tradeTexts.wholesaler.all,
      ...tradeStatuses.map((status) => tradeStatusLabels[status].filter),
    ]
    expect(names).toEqual(['All', 'Pending', 'Offered', 'Counter', 'Accepted', 'Rejected'])
  })

  test("never show the buyer's counter by its stored name", () => {
    expect(tradeStatusLabels.OFFER).toEqual({
      owner: 'COUNTERED',
      wholesaler: 'COUNTER OFFER',
      filter: 'Counter',
    })
    for (const status of tradeStatuses.filter((name) => name !== 'OFFER'))
      expect(tradeStatusLabels[status]).toMatchObject({ owner: status, wholesaler: status })
  })
})

// R-trades-9
test.each([
  ['', true],
  ['0', true],
  ['0.', true],
  ['$12.3', true],
  ['10000000', true],
  ['0.00', false],
  ['12.345', false],
  ['10000001', false],
  ['1,000', false],
  ['1e3', false],
])('says whether %j can become an amount: %s', (text, can) => expect(canBecomeAmount(text)).toBe(can))
