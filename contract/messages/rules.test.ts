import { expect, test } from 'vitest'
import { firstNameOf, groupByDay } from './rules.ts'

// R-deals-96
test('groups messages by day in their order', () => {
  const [first, second, third] = ['2026-11-20T15:04', '2026-11-20T23:59', '2026-11-21T00:01'].map((at) => ({
    at,
  }))
  const groups = groupByDay([first, second, third] as { at: string }[], (at) => at.slice(0, 10))
  expect(groups).toEqual([
    { day: '2026-11-20', messages: [first, second] },
    { day: '2026-11-21', messages: [third] },
  ])
})

// R-deals-96
test('names a person without a visible first name by the whole name', () => {
  expect(firstNameOf({ firstName: 'Sara', lastName: 'Seller' })).toBe('Sara')
  expect(firstNameOf({ firstName: '\u200b', lastName: 'Seller' })).toBe('Seller')
})
