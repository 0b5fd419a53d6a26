import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import { findNextWaitingTrade } from './find-next-waiting-trade.ts'

const trades = (statuses: Record<string, TradeStatus>) =>
  Object.entries(statuses).map(([_id, status]) => ({ _id, status }) as Trade)
const idAfter = (statuses: Record<string, TradeStatus>, ids: string, order = Object.keys(statuses)) =>
  findNextWaitingTrade(trades(statuses), order, [...ids])?._id ?? null

test('returns the next trade down the list that still waits for an offer', () => {
  expect(idAfter({ a: 'OFFERED', b: 'ACCEPTED', c: 'OFFER', d: 'PENDING' }, 'a')).toBe('c')
})

// R-accounts-64
test('skips a paused trade', () => {
  const [a, b, c] = trades({ a: 'PENDING', b: 'PENDING', c: 'PENDING' })
  if (!a || !b || !c) throw new Error('no trades')
  expect(findNextWaitingTrade([a, { ...b, isPaused: true }, c], ['a', 'b', 'c'], ['a'])).toBe(c)
})

test('continues at the top after the last trade', () => {
  expect(idAfter({ a: 'PENDING', b: 'REJECTED', c: 'PENDING' }, 'c')).toBe('a')
})

test('skips a trade that has left the list because of a filter or its owner', () => {
  expect(idAfter({ a: 'PENDING', d: 'PENDING' }, 'b', ['a', 'b', 'c', 'd'])).toBe('d')
})

test('never returns a trade twice, however often trades are skipped', () => {
  const all = { a: 'PENDING', b: 'PENDING', c: 'PENDING' } as const
  expect(idAfter(all, 'b')).toBe('c')
  expect(idAfter(all, 'bc')).toBe('a')
  expect(idAfter(all, 'bca')).toBe(null)
})

test('never returns an answered trade or the current one', () => {
  expect(idAfter({ a: 'PENDING', b: 'OFFERED', c: 'REJECTED' }, 'a')).toBe(null)
  expect(idAfter({}, 'a')).toBe(null)
})
