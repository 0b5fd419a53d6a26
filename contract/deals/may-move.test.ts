import { expect, test } from 'vitest'
import type { SaleStatus } from '../cars/rules.ts'
import { mayComplete, mayMove } from './may-move.ts'

const states: (SaleStatus | null)[] = [null, 'PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED']
const openTo = (party: 'SELLER' | 'BUYER', move: Parameters<typeof mayMove>[2]) =>
  states.filter((status) => mayMove({ status }, party, move))

test('allows every move of the status when nothing else is known', () => {
  expect(openTo('BUYER', 'request')).toEqual([null, 'PENDING', 'REJECTED'])
  expect(openTo('BUYER', 'withdraw')).toEqual([null, 'PENDING', 'ACCEPTED', 'REJECTED'])
  expect(openTo('SELLER', 'confirm')).toEqual(['PENDING'])
  expect(openTo('SELLER', 'sign')).toEqual(['ACCEPTED'])
})

test('forbids releasing the buyer after the seller has signed', () => {
  expect(mayMove({ status: 'ACCEPTED', sellerSigned: true }, 'SELLER', 'release')).toBe(false)
})

test('forbids signing twice, and signing after the buyer’s hold has ended', () => {
  const deal = { status: 'ACCEPTED' } as const
  expect(mayMove({ ...deal, sellerSigned: true }, 'SELLER', 'sign')).toBe(false)
  expect(mayMove({ ...deal, buyerSigned: true }, 'BUYER', 'sign')).toBe(false)
  expect(mayMove({ status: 'PENDING', exclusivityExpired: true }, 'BUYER', 'sign')).toBe(false)
  expect(mayMove({ ...deal, exclusivityExpired: true }, 'SELLER', 'sign')).toBe(true)
})

test('forbids withdrawal after both have signed, and lets the administrator complete the deal once', () => {
  const passed = { status: 'ACCEPTED', sellerSigned: true, buyerSigned: true } as const
  expect(mayMove({ ...passed, passedAt: null }, 'BUYER', 'withdraw')).toBe(true)
  expect(mayMove({ ...passed, passedAt: '2026-06-01T12:00:00.000Z' }, 'BUYER', 'withdraw')).toBe(false)
  expect([mayComplete({ completed: false }), mayComplete({ completed: true })]).toEqual([true, false])
})
