import { ApiError } from '@keyturn/contract/shared/error.ts'
import { expect, test } from 'vitest'
import { decideMove } from './move-rules.ts'

type Held = Parameters<typeof decideMove>[0]
type Wish = Parameters<typeof decideMove>[1]
const locked = (status: string, more: object = {}) =>
  ({
    trade: {
      status,
      version: 7,
      priceCents: 900_000,
      expiredAt: null,
      offeredBy: 'me',
      movedAt: new Date(0),
    },
    isOfferOver: false,
    now: new Date(0),
    ...more,
  }) as Held

function codeOf(of: Held, wish: object, actor: 'OWNER' | 'WHOLESALER'): string | null {
  try {
    decideMove(of, wish as Wish, { actors: [actor], callerId: 'me' }, () => 'as it is')
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

// R-trades-34
test('lets only its wholesaler withdraw an offer, for ten minutes', () => {
  const after = (minutes: number, offeredBy = 'me') => {
    const { trade } = locked('OFFERED')
    return locked('OFFERED', { trade: { ...trade, offeredBy }, now: new Date(minutes * 60_000) })
  }
  const withdrawal = { status: 'PENDING' }
  expect(codeOf(after(9.9), withdrawal, 'WHOLESALER')).toBeNull()
  expect(codeOf(after(10), withdrawal, 'WHOLESALER')).toBe('WithdrawalOver')
  expect(codeOf(after(1, 'another'), withdrawal, 'WHOLESALER')).toBe('InvalidTransition')
  expect(codeOf(locked('OFFER'), withdrawal, 'WHOLESALER')).toBe('InvalidTransition')
})
