import { expect, test } from 'vitest'
import {
  type DealFacts,
  type DealMoveName,
  type DealStatus,
  dealMoves,
  holdEnd,
  moveAllowed,
  signingRefusal,
} from './rules.ts'

const statuses: DealStatus[] = ['STARTED', 'PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED']
const deal = (status: DealStatus, more: Partial<DealFacts> = {}): DealFacts => ({
  status,
  sellerSigned: false,
  buyerSigned: false,
  passed: false,
  lapsed: false,
  ...more,
})

test('every move is open from exactly these states (R-deals-19)', () => {
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

/** Each move once more, in plain words: who makes it, where it leads, and when it is open. */
const specified: Record<DealMoveName, [by: string, to: string, open: (deal: DealFacts) => boolean]> = {
  request: ['BUYER', 'PENDING', ({ status }) => /STARTED|PENDING|REJECTED/.test(status)],
  reprice: ['BUYER', 'PENDING', ({ status }) => /PENDING|REJECTED/.test(status)],
  confirm: ['SELLER', 'ACCEPTED', ({ status }) => status === 'PENDING'],
  deny: ['SELLER', 'REJECTED', ({ status }) => status === 'PENDING'],
  release: ['SELLER', 'REJECTED', ({ status, sellerSigned }) => status === 'ACCEPTED' && !sellerSigned],
  withdraw: ['BUYER', 'WITHDRAWN', ({ status, passed }) => status !== 'COMPLETED' && !passed],
  lapse: [
    'CLOCK',
    'PENDING',
    ({ status, sellerSigned, passed }) => status === 'ACCEPTED' && sellerSigned && !passed,
  ],
  complete: ['ADMIN', 'COMPLETED', ({ status, passed }) => status === 'ACCEPTED' && passed],
}
const flags = [false, true]
const everyDeal = statuses.flatMap((status) =>
  flags.flatMap((sellerSigned) =>
    flags.flatMap((buyerSigned) =>
      flags.flatMap((passed) =>
        flags.map((lapsed): DealFacts => ({ status, sellerSigned, buyerSigned, passed, lapsed })),
      ),
    ),
  ),
)

test('there are these moves and no others, each by one side and to one state', () => {
  expect(Object.fromEntries(dealMoves.map(({ name, by, to }) => [name, [by, to]]))).toEqual(
    Object.fromEntries(Object.entries(specified).map(([name, [by, to]]) => [name, [by, to]])),
  )
  expect(dealMoves).toHaveLength(Object.keys(specified).length)
})

test.each(Object.keys(specified) as DealMoveName[])('%s is open exactly when it should be', (name) => {
  for (const facts of everyDeal) {
    const [, , open] = specified[name]
    expect([facts, moveAllowed(name, facts)]).toEqual([facts, open(facts)])
  }
})

// R-deals-24
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

test('the buyer signs a pending or accepted request, and not after a lapse (R-deals-30)', () => {
  for (const status of statuses)
    expect(signingRefusal('BUYER', deal(status))).toBe(
      status === 'PENDING' || status === 'ACCEPTED' ? null : 'InvalidTransition',
    )
  expect(signingRefusal('BUYER', deal('PENDING', { lapsed: true }))).toBe('ExclusivityExpired')
})

// R-deals-36
test('the hold is 72 hours to the millisecond', () => {
  expect(holdEnd(1_000)).toBe(1_000 + 72 * 60 * 60 * 1000)
})
