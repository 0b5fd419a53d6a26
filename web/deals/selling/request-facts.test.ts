import { dollars } from '@keyturn/contract/kit/money.ts'
import { expect, test } from 'vitest'
import { changesOf } from '../../decide/changes.ts'
import { besideAsking, financingText, signatureText } from './request-facts.ts'

test.each([
  [9000, 9500, '$500 under your asking price'],
  [9750, 9500, '$250 over your asking price'],
  [9500, 9500, 'your asking price'],
  [9500, null, ''],
])('an offer of %d beside %j asked', (offered, asked, said) => {
  expect(besideAsking(dollars(offered), asked === null ? null : dollars(asked))).toBe(said)
})

test('a financing wish says as much as the buyer said', () => {
  const wish = { amount: dollars(8000), termMonths: 60, downPayment: dollars(1500), contactConsent: true }
  expect(financingText(null, null)).toBe('Not said yet')
  expect(financingText(false, wish)).toBe('Pays without financing')
  expect(financingText(true, null)).toBe('Wants financing')
  expect(financingText(true, wish)).toBe('Wants financing: $8,000 over 60 months, $1,500 down')
  expect(financingText(true, { ...wish, termMonths: null, downPayment: null })).toBe(
    'Wants financing: $8,000',
  )
})

test.each([
  [{ buyerSigned: true }, 'Has signed this offer'],
  [{}, 'Has not signed yet'],
  [{ buyerSignatureVoided: true }, 'Has to sign again: the signature no longer counts'],
  [{ buyerSignatureVoided: true, exclusivityExpired: true }, 'The 72 hours ended without this signature'],
  [{ buyerSignatureVoided: true, status: 'REJECTED' }, ''],
] as const)('a request of which is known %j', (known, said) => {
  const request = {
    status: 'PENDING',
    buyerSigned: false,
    buyerSignatureVoided: false,
    exclusivityExpired: false,
  } as const
  expect(signatureText({ ...request, ...known })).toBe(said)
})

test('only what differs is reported, old and new', () => {
  const before = [
    { label: 'Offered price', value: '$9,000' },
    { label: 'Trade-in', value: 'No trade-in' },
  ]
  const after = [
    { label: 'Offered price', value: '$9,200' },
    { label: 'Trade-in', value: 'No trade-in' },
  ]
  expect(changesOf(before, after)).toEqual([{ label: 'Offered price', before: '$9,000', after: '$9,200' }])
  expect(changesOf(before, before)).toEqual([])
})
