import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import { findNextWaitingTrade } from './next-waiting-trade.ts'

const requests = (statuses: Record<string, TradeStatus>) =>
  Object.entries(statuses).map(([_id, status]) => ({ _id, status }) as Trade)
const idAfter = (statuses: Record<string, TradeStatus>, ids: string, order = Object.keys(statuses)) =>
  findNextWaitingTrade(requests(statuses), order, [...ids])?._id ?? null

test('returns the next request down the list that still waits for an offer', () => {
  expect(idAfter({ a: 'OFFERED', b: 'ACCEPTED', c: 'OFFER', d: 'PENDING' }, 'a')).toBe('c')
})

test('continues at the top after the last request', () => {
  expect(idAfter({ a: 'PENDING', b: 'REJECTED', c: 'PENDING' }, 'c')).toBe('a')
})

test('skips a request that has left the list because of a filter or its owner', () => {
  expect(idAfter({ a: 'PENDING', d: 'PENDING' }, 'b', ['a', 'b', 'c', 'd'])).toBe('d')
})

test('never returns a request twice, however often requests are skipped', () => {
  const all = { a: 'PENDING', b: 'PENDING', c: 'PENDING' } as const
  expect(idAfter(all, 'b')).toBe('c')
  expect(idAfter(all, 'bc')).toBe('a')
  expect(idAfter(all, 'bca')).toBe(null)
})

test('never returns an answered request or the current one', () => {
  expect(idAfter({ a: 'PENDING', b: 'OFFERED', c: 'REJECTED' }, 'a')).toBe(null)
  expect(idAfter({}, 'a')).toBe(null)
})
