import { describe, expect, test } from 'vitest'
import {
  type DealFacts,
  type DealMoveName,
  type DealParty,
  type DealStatus,
  dealParties,
  findMove,
  holdEnd,
  intendedOf,
  isHeld,
  isStanding,
  isTaken,
  movesOpen,
  signingRefusal,
} from './rules.ts'

const statuses: DealStatus[] = ['STARTED', 'PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED']
const parties: DealParty[] = ['BUYER', 'SELLER', 'CLOCK', 'ADMIN']
const deal = (status: DealStatus, more: Partial<DealFacts> = {}): DealFacts => ({
  status,
  sellerSigned: false,
  buyerSigned: false,
  passed: false,
  holdOver: false,
  lapsed: false,
  ...more,
})
const flags = [false, true]
/** A deal that has ended has no facts anymore; even if it had, no move would be open. */
const withdrawn = 'WITHDRAWN' as DealStatus
const everyDeal: DealFacts[] = [...statuses, withdrawn].flatMap((status) =>
  flags.flatMap((sellerSigned) =>
    flags.flatMap((buyerSigned) =>
      flags.flatMap((passed) =>
        flags.flatMap((holdOver) =>
          flags.map((lapsed) => ({ status, sellerSigned, buyerSigned, passed, holdOver, lapsed })),
        ),
      ),
    ),
  ),
)

/** The moves restated by hand: who makes each, where it leads, and when it is open. */
const specified: Record<DealMoveName, [by: DealParty, to: string, open: (deal: DealFacts) => boolean]> = {
  request: ['BUYER', 'PENDING', ({ status }) => /STARTED|PENDING|REJECTED/.test(status)],
  reprice: ['BUYER', 'PENDING', ({ status }) => /PENDING|REJECTED/.test(status)],
  confirm: ['SELLER', 'ACCEPTED', ({ status }) => status === 'PENDING'],
  deny: ['SELLER', 'REJECTED', ({ status }) => status === 'PENDING'],
  release: ['SELLER', 'REJECTED', ({ status, sellerSigned }) => status === 'ACCEPTED' && !sellerSigned],
  withdraw: [
    'BUYER',
    'WITHDRAWN',
    ({ status, passed }) => /STARTED|PENDING|ACCEPTED|REJECTED/.test(status) && !passed,
  ],
  lapse: ['CLOCK', 'PENDING', ({ status, passed, holdOver }) => status === 'ACCEPTED' && !passed && holdOver],
  complete: ['ADMIN', 'COMPLETED', ({ status, passed }) => status === 'ACCEPTED' && passed],
}
test('these may move a deal, and nobody else', () => {
  expect(dealParties).toEqual(parties)
})

const names = Object.keys(specified) as DealMoveName[]

describe('the moves of a deal (R-deals-19)', () => {
  test.each(parties)('%s has exactly these moves, and each leads where it should', (party) => {
    for (const facts of everyDeal) {
      const open = movesOpen(facts, party).map(({ name, by, to }) => [name, by, to])
      const wanted = names
        .filter((name) => specified[name][0] === party && specified[name][2](facts))
        .map((name) => [name, party, specified[name][1]])
      expect([facts, open]).toEqual([facts, wanted])
    }
  })

  test.each(names)('%s is found by the one who may make it, and by nobody else', (name) => {
    for (const facts of everyDeal)
      for (const party of parties) {
        const [by, , open] = specified[name]
        const found = findMove(facts, party, name)?.name ?? null
        expect([facts, party, found]).toEqual([facts, party, by === party && open(facts) ? name : null])
      }
  })
})

test('a no is a denial until the buyer is confirmed, and a release from then on', () => {
  const no = (facts: DealFacts) => findMove(facts, 'SELLER', 'deny', 'release')?.name
  expect(no(deal('PENDING'))).toBe('deny')
  expect(no(deal('ACCEPTED'))).toBe('release')
})

// R-deals-24
test('a seller who has signed cannot release', () => {
  expect(findMove(deal('ACCEPTED', { sellerSigned: true }), 'SELLER', 'release')).toBeNull()
})

test('once both have signed nobody withdraws and no hold lapses; only completion is left', () => {
  const passed = deal('ACCEPTED', { sellerSigned: true, buyerSigned: true, passed: true, holdOver: true })
  const left = parties.flatMap((party) => movesOpen(passed, party))
  expect(left.map(({ name }) => name)).toEqual(['complete'])
})

test('a car is taken from the moment its buyer is confirmed; before that a request only stands', () => {
  expect(statuses.filter(isTaken)).toEqual(['ACCEPTED', 'COMPLETED'])
  expect(statuses.filter(isStanding)).toEqual(['PENDING', 'ACCEPTED', 'COMPLETED'])
  expect([isTaken(null), isStanding(null)]).toEqual([false, false])
})

test('the hold binds the seller from their signature until both have signed (R-deals-24, R-deals-37)', () => {
  for (const facts of everyDeal) {
    const { status, sellerSigned, passed } = facts
    const held = (status === 'ACCEPTED' || status === 'COMPLETED') && sellerSigned && !passed
    expect([facts, isHeld(facts)]).toEqual([facts, held])
  }
})

// R-deals-52
test('the intended buyer is the one who has the car, else the first whose request stands', () => {
  const intended = (...all: DealStatus[]) => {
    const deals = all.map((status, id) => ({ id, status }))
    return intendedOf(deals)?.id
  }
  expect(intended('PENDING', 'PENDING')).toBe(0)
  expect(intended('STARTED', 'REJECTED', 'PENDING')).toBe(2)
  expect(intended('PENDING', 'ACCEPTED', 'PENDING')).toBe(1)
  expect(intended('PENDING', 'COMPLETED')).toBe(1)
  expect(intended('STARTED', 'REJECTED')).toBeUndefined()
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
