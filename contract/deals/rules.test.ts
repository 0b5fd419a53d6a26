import { expect, test } from 'vitest'
import { type DealFacts, type DealStatus, dealMoves, holdEnd, moveAllowed, signingRefusal } from './rules.ts'

const statuses: DealStatus[] = ['STARTED', 'PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED']
const deal = (status: DealStatus, more: Partial<DealFacts> = {}): DealFacts => ({
  status,
  sellerSigned: false,
  buyerSigned: false,
  passed: false,
  lapsed: false,
  ...more,
})

test('every move is open from exactly these states (1 s4, 2 s4; decisions B4, B8, B9, B11, B12)', () => {
  const openFrom = Object.fromEntries(
    dealMoves.map(({ name }) => [name, statuses.filter((status) => moveAllowed(name, deal(status)))]),
  )
  expect(openFrom).toEqual({
    request: ['STARTED', 'PENDING', 'REJECTED'],
    reprice: ['PENDING', 'REJECTED'],
    confirm: ['PENDING'],
    deny: ['PENDING'],
    release: ['ACCEPTED'],
    withdraw: ['STARTED', 'PENDING', 'ACCEPTED', 'REJECTED'],
    lapse: [],
    complete: [],
  })
})

test('a seller who has signed cannot release', () => {
  expect(moveAllowed('release', deal('ACCEPTED', { sellerSigned: true }))).toBe(false)
})

test('once both have signed nobody withdraws and no hold lapses; only completion is left', () => {
  const passed = deal('ACCEPTED', { sellerSigned: true, buyerSigned: true, passed: true })
  expect(dealMoves.filter(({ name }) => moveAllowed(name, passed)).map(({ name }) => name)).toEqual([
    'complete',
  ])
})

test('only a hold that the seller’s signature began can lapse', () => {
  expect(moveAllowed('lapse', deal('ACCEPTED', { sellerSigned: true }))).toBe(true)
  expect(moveAllowed('lapse', deal('ACCEPTED', { buyerSigned: true }))).toBe(false)
})

test('the seller signs only what they have confirmed', () => {
  for (const status of statuses)
    expect(signingRefusal('SELLER', deal(status))).toBe(status === 'ACCEPTED' ? null : 'InvalidTransition')
})

test('the buyer signs a pending or accepted request, and not after a lapse (contract, Signing)', () => {
  for (const status of statuses)
    expect(signingRefusal('BUYER', deal(status))).toBe(
      status === 'PENDING' || status === 'ACCEPTED' ? null : 'InvalidTransition',
    )
  expect(signingRefusal('BUYER', deal('PENDING', { lapsed: true }))).toBe('ExclusivityExpired')
})

test('the hold is 72 hours to the millisecond', () => {
  expect(holdEnd(1_000)).toBe(1_000 + 72 * 60 * 60 * 1000)
})
