import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { dollarsToCents } from '@keyturn/contract/shared/money.ts'
import { expect, test } from 'vitest'
import { changesBetween } from '../../../api/mutations/changes.ts'
import {
  askingPriceComparison,
  financingText,
  isPendingRequest,
  isSellersTurn,
  leftToPayText,
  signatureText,
  sortBestFirst,
} from './request-facts.ts'

test.each([
  [9000, 9500, '$500 under your asking price'],
  [9750, 9500, '$250 over your asking price'],
  [9500, 9500, 'your asking price'],
  [9500, null, ''],
])('compares an offer of %d with the asking price %j', (offered, asked, text) => {
  expect(askingPriceComparison(dollarsToCents(offered), asked === null ? null : dollarsToCents(asked))).toBe(
    text,
  )
})

test('shows as much of a financing wish as the buyer has entered', () => {
  const wish = {
    amount: dollarsToCents(8000),
    termMonths: 60,
    downPayment: dollarsToCents(1500),
    contactConsent: true,
  }
  expect(financingText(null, null)).toBe('Not answered yet')
  expect(financingText(false, wish)).toBe('Pays without financing')
  expect(financingText(true, null)).toBe('Wants financing')
  expect(financingText(true, wish)).toBe('Wants financing: $8,000 over 60 months, $1,500 down')
  expect(financingText(true, { ...wish, termMonths: null, downPayment: null })).toBe(
    'Wants financing: $8,000',
  )
})

// R-deals-2
test('sorts pending offers by price and age, and answered ones after them', () => {
  const request = (name: string, price: number, status: 'PENDING' | 'REJECTED' = 'PENDING') => ({
    name,
    price: dollarsToCents(price),
    status,
  })
  const requests = [
    request('denied', 9900, 'REJECTED'),
    request('low', 9000),
    request('first', 9500),
    request('second', 9500),
    request('denied too', 9950, 'REJECTED'),
  ]
  expect(
    sortBestFirst(requests)
      .map(({ name }) => name)
      .join(', '),
  ).toBe('first, second, low, denied, denied too')
})

test('shows what is left to pay after the trade-in and the loan', () => {
  const loan = { amount: dollarsToCents(8000), termMonths: 60, downPayment: null, contactConsent: true }
  const trade = { price: dollarsToCents(4000) } as Request['trades'][number]
  const plain = { price: dollarsToCents(14_900), trades: [], needsFinancing: false, financing: null }
  const traded = { ...plain, trades: [trade] }
  const lent = { needsFinancing: true, financing: loan }
  expect(leftToPayText(plain)).toBe('')
  expect(leftToPayText(traded)).toBe('$10,900 left to pay after the trade-in')
  expect(leftToPayText({ ...plain, ...lent })).toBe('$6,900 left to pay after the loan')
  expect(leftToPayText({ ...traded, ...lent })).toBe('$2,900 left to pay after the trade-in and the loan')
  expect(leftToPayText({ ...traded, price: dollarsToCents(3000) })).toBe('$0 left to pay after the trade-in')
  // A loan that was requested and later declined is ignored.
  expect(leftToPayText({ ...plain, financing: loan })).toBe('')
})

test.each([
  [{ buyerSigned: true }, 'Has signed this offer'],
  [{}, 'Has not signed yet'],
  [{ buyerSignatureVoided: true }, 'Has to sign again: the signature no longer counts'],
  [{ buyerSignatureVoided: true, exclusivityExpired: true }, 'The 72 hours ended without this signature'],
  [{ buyerSignatureVoided: true, status: 'REJECTED' }, ''],
] as const)('describes the signatures of %j', (known, text) => {
  const request = {
    status: 'PENDING',
    buyerSigned: false,
    buyerSignatureVoided: false,
    exclusivityExpired: false,
  } as const
  expect(signatureText({ ...request, ...known })).toBe(text)
})

test('reports only differences, with the old and the new values', () => {
  const before = [
    { label: 'Offered price', value: '$9,000' },
    { label: 'Trade-in', value: 'No trade-in' },
  ]
  const after = [
    { label: 'Offered price', value: '$9,200' },
    { label: 'Trade-in', value: 'No trade-in' },
  ]
  expect(changesBetween(before, after)).toEqual([
    { label: 'Offered price', before: '$9,000', after: '$9,200' },
  ])
  expect(changesBetween(before, before)).toEqual([])
})

// R-deals-117
test('counts a paused request as pending, because it can be denied, but not as the seller’s turn', () => {
  const request = { status: 'PENDING', proposedPrice: null, isPaused: false } as const
  expect([isPendingRequest(request), isSellersTurn(request)]).toEqual([true, true])
  const paused = { ...request, isPaused: true }
  expect([isPendingRequest(paused), isSellersTurn(paused)]).toEqual([true, false])
})
