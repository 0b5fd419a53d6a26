import { ApiError } from '@keyturn/contract/shared/error.ts'
import { expect, test } from 'vitest'
import { decideMove } from './move-rules.ts'

type Held = Parameters<typeof decideMove>[0]
type Wish = Parameters<typeof decideMove>[1]
const locked = (status: string, more: object = {}) =>
  ({
    trade: { status, version: 7, priceCents: 900_000, expiredAt: null },
    isOfferOver: false,
    ...more,
  }) as Held

function codeOf(of: Held, wish: object, party: 'OWNER' | 'WHOLESALER'): string | null {
  try {
    decideMove(of, wish as Wish, [party], () => 'as it is')
    return null
  } catch (error) {
    return error instanceof ApiError ? error.code : 'another error'
  }
}

test('reports an expired offer as expired to its owner, and as a change to everybody else', () => {
  const over = locked('OFFERED', { isOfferOver: true })
  for (const status of ['ACCEPTED', 'REJECTED'])
    expect(codeOf(over, { status }, 'OWNER')).toBe('OfferExpired')
  expect(codeOf(over, { status: 'OFFERED', price: 9000 }, 'WHOLESALER')).toBe('StaleVersion')
})

// R-trades-4
test('checks a move against the current state of the trade', () => {
  const offered = locked('OFFERED')
  expect(codeOf(offered, { status: 'ACCEPTED' }, 'OWNER')).toBeNull()
  expect(codeOf(offered, { status: 'ACCEPTED', version: 6 }, 'OWNER')).toBe('StaleVersion')
  expect(codeOf(offered, { status: 'ACCEPTED', price: 800_000 }, 'OWNER')).toBe('StaleVersion')
  expect(codeOf(offered, { status: 'OFFERED', price: 9000 }, 'WHOLESALER')).toBe('InvalidTransition')
})
