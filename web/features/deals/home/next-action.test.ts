import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { SaleStatus } from '@keyturn/contract/cars/rules.ts'
import type { DashboardCar } from '@keyturn/contract/deals/shapes.ts'
import { describe, expect, test } from 'vitest'
import { buyersNext, sellersNext, turnFirst } from './next-action.ts'

type CarState = Pick<Car, 'status' | 'buyerId' | 'taken'>
type Deal = NonNullable<DashboardCar['deal']>

const somebody = 'a'.repeat(24)
const car = (status: SaleStatus | null, more: Partial<CarState> = {}): CarState => ({
  status,
  buyerId: null,
  taken: false,
  ...more,
})
const signed = (more: Partial<Deal> = {}): Deal => ({
  price: null,
  sellerSigned: false,
  buyerSigned: false,
  exclusiveUntil: null,
  exclusivityExpired: false,
  passedAt: null,
  ...more,
})

// R-deals-48, R-deals-50
describe('a row of the Seller View leads to', () => {
  test.each([
    ['sharing, while nobody asks', car('PENDING'), null, 'Share link', false],
    ['the request that waits', car('PENDING', { buyerId: somebody }), null, 'Review request', true],
    ['signing, once confirmed', car('ACCEPTED', { buyerId: somebody }), signed(), 'Sign agreement', true],
    ['the deal, once signed', car('ACCEPTED'), signed({ sellerSigned: true }), 'Open deal', false],
    ['the deal, when it is done', car('COMPLETED'), null, 'View deal', false],
  ])('%s', (_, row, deal, label, isMine) => {
    expect(sellersNext({ ...row, deal })).toEqual({ label, isMine })
  })
})

// R-deals-48, R-deals-49
describe('a row of the Buyer View leads to', () => {
  test.each([
    ['the wizard that was left', car(null), null, 'Continue purchase', true],
    ['signing the offer', car('PENDING'), signed(), 'Sign agreement', true],
    ['the deal, once signed', car('PENDING'), signed({ buyerSigned: true }), 'View deal', false],
    [
      'waiting, once the 72 hours have ended',
      car('PENDING'),
      signed({ exclusivityExpired: true }),
      'View deal',
      false,
    ],
    ["the seller's answer", car('REJECTED'), null, 'See answer', true],
    ['the deal, while another buyer is confirmed', car(null, { taken: true }), null, 'View deal', false],
    [
      "the seller's answer, also while another is confirmed",
      car('REJECTED', { taken: true }),
      null,
      'See answer',
      true,
    ],
    ['signing, once accepted', car('ACCEPTED'), signed({ sellerSigned: true }), 'Sign agreement', true],
    ['the deal, when it is done', car('COMPLETED'), null, 'View deal', false],
  ])('%s', (_, row, deal, label, isMine) => {
    expect(buyersNext({ ...row, deal })).toEqual({ label, isMine })
  })
})

// R-deals-48
test("sorts rows with the person's turn first, finished ones last, the rest unchanged", () => {
  const rows = [
    { name: 'done', ...car('COMPLETED'), deal: null },
    { name: 'waits', ...car('PENDING'), deal: null },
    { name: 'asked', ...car('PENDING', { buyerId: somebody }), deal: null },
    { name: 'waits too', ...car('ACCEPTED'), deal: signed({ sellerSigned: true }) },
    { name: 'to sign', ...car('ACCEPTED'), deal: signed() },
  ]
  expect(
    turnFirst(rows, sellersNext)
      .map(({ name }) => name)
      .join(', '),
  ).toBe('asked, to sign, waits, waits too, done')
})

test('sorts a car that was sold to another buyer last', () => {
  const rows = [
    { ...car('COMPLETED'), soldElsewhere: false, deal: null, name: 'bought' },
    { ...car('PENDING'), soldElsewhere: true, deal: signed(), name: 'lost' },
    { ...car('PENDING'), soldElsewhere: false, deal: signed({ buyerSigned: true }), name: 'waits' },
  ]
  expect(
    turnFirst(rows, buyersNext)
      .map(({ name }) => name)
      .join(', '),
  ).toBe('waits, bought, lost')
})
