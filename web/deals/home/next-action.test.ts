import type { Car } from '@keyturn/contract/cars/calls.ts'
import type { SaleStatus } from '@keyturn/contract/cars/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { describe, expect, test } from 'vitest'
import { buyersNext, sellersNext } from './next-action.ts'

type Standing = Pick<Car, 'status' | 'buyerId' | 'taken'>
type Signed = Pick<Progress, 'sellerSigned' | 'buyerSigned' | 'exclusivityExpired'>

const somebody = 'a'.repeat(24)
const car = (status: SaleStatus | null, more: Partial<Standing> = {}): Standing => ({
  status,
  buyerId: null,
  taken: false,
  ...more,
})
const signed = (more: Partial<Signed> = {}): Signed => ({
  sellerSigned: false,
  buyerSigned: false,
  exclusivityExpired: false,
  ...more,
})

// R-deals-48, R-deals-50
describe('a row of the Seller View leads to', () => {
  test.each([
    ['sharing, while nobody asks', car('PENDING'), undefined, 'Share link', false],
    ['the request that waits', car('PENDING', { buyerId: somebody }), undefined, 'Review request', true],
    ['signing, once confirmed', car('ACCEPTED', { buyerId: somebody }), signed(), 'Sign agreement', true],
    ['the deal, once signed', car('ACCEPTED'), signed({ sellerSigned: true }), 'Open deal', false],
    ['the deal, while it is not known who signed', car('ACCEPTED'), undefined, 'Open deal', false],
    ['the deal, when it is done', car('COMPLETED'), undefined, 'View deal', false],
  ])('%s', (_, row, progress, label, isMine) => {
    expect(sellersNext(row, progress)).toEqual({ label, isMine })
  })
})

// R-deals-48, R-deals-49
describe('a row of the Buyer View leads to', () => {
  test.each([
    ['the wizard that was left', car(null), undefined, 'Continue purchase', true],
    ['signing the offer', car('PENDING'), signed(), 'Sign agreement', true],
    ['the deal, once signed', car('PENDING'), signed({ buyerSigned: true }), 'View deal', false],
    [
      'waiting, once the 72 hours have ended',
      car('PENDING'),
      signed({ exclusivityExpired: true }),
      'View deal',
      false,
    ],
    ["the seller's answer", car('REJECTED'), undefined, 'See answer', true],
    ['the deal, while another buyer is confirmed', car(null, { taken: true }), undefined, 'View deal', false],
    [
      "the seller's answer, also while another is confirmed",
      car('REJECTED', { taken: true }),
      undefined,
      'See answer',
      true,
    ],
    ['signing, once accepted', car('ACCEPTED'), signed({ sellerSigned: true }), 'Sign agreement', true],
    ['the deal, when it is done', car('COMPLETED'), undefined, 'View deal', false],
  ])('%s', (_, row, progress, label, isMine) => {
    expect(buyersNext(row, progress)).toEqual({ label, isMine })
  })
})
