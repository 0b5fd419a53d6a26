import { expect, test } from 'vitest'
import { hasSystem, sendLabel } from './delivery-moves.ts'

const oneTry = { at: '2026-11-22T10:00:00.000Z', ms: 4, status: 500, because: 'answered' }

// R-deals-74
test.each([
  ['Send Again', { kind: 'deal.passed', state: 'WAITING', tries: [oneTry] }],
  ['Send Again', { kind: 'deal.passed', state: 'DELIVERED', tries: [oneTry] }],
  ['Send Again', { kind: 'deal.financing', state: 'PARKED', tries: [oneTry] }],
  ['Send It', { kind: 'deal.passed', state: 'PARKED', tries: [] }],
  [null, { kind: 'deal.passed', state: 'WAITING', tries: [] }],
  [null, { kind: 'test', state: 'PARKED', tries: [oneTry] }],
] as const)('labels the button %s for %j', (label, delivery) => {
  expect(sendLabel({ ...delivery, tries: [...delivery.tries] })).toBe(label)
})

// R-deals-77
test('allows a test for every dealer with a system, including the built-in desk', () => {
  expect(hasSystem({ webhookUrl: null, isDefault: true })).toBe(true)
  expect(hasSystem({ webhookUrl: 'https://dealer.example/', isDefault: false })).toBe(true)
  expect(hasSystem({ webhookUrl: null, isDefault: false })).toBe(false)
})
