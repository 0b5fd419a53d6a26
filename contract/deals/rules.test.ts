import { expect, test } from 'vitest'
import {
  type DealFacts,
  type DealMoveName,
  type DealParty,
  type DealStatus,
  dealParties,
  dealStatuses,
  findDealMove,
  findIntendedDeal,
  holdEnd,
  isActiveRequest,
  isBlockedByLapse,
  isHeld,
  isPending,
  isReserved,
  possibleDealMoves,
  turnsOnDeal,
} from './rules.ts'

const statuses: DealStatus[] = ['STARTED', 'PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED']
const parties: DealParty[] = ['BUYER', 'SELLER', 'CLOCK', 'ADMIN', 'DEALER']
const deal = (status: DealStatus, more: Partial<DealFacts> = {}): DealFacts => ({
  status,
  sellerSigned: false,
  buyerSigned: false,
  isPassed: false,
  hasHoldEnded: false,
  hasLapsed: false,
  isPaused: false,
  ...more,
})
const flags = [false, true]
/** A withdrawn deal has no facts; even with them, no move would be open. */
const withdrawn = 'WITHDRAWN' as DealStatus
const everyDeal: DealFacts[] = [...statuses, withdrawn].flatMap((status) =>
  flags.flatMap((sellerSigned) =>
    flags.flatMap((buyerSigned) =>
      flags.flatMap((isPassed) =>
        flags.flatMap((hasHoldEnded) =>
          flags.flatMap((hasLapsed) =>
            flags.map((isPaused) => ({
              status,
              sellerSigned,
              buyerSigned,
              isPassed,
              hasHoldEnded,
              hasLapsed,
              isPaused,
            })),
          ),
        ),
      ),
    ),
  ),
)

type Specified = readonly [by: DealParty, to: string, open: (deal: DealFacts) => boolean]
const endsWithItsCar = ({ status }: DealFacts) => /STARTED|PENDING|REJECTED/.test(status)
const isPassedOn = ({ status, isPassed }: DealFacts) => status === 'ACCEPTED' && isPassed

/** The moves that end a deal or its hold; a paused deal has no other (R-deals-117). */
const leaves: ReadonlySet<DealMoveName> = new Set([
  'deny',
  'release',
  'withdraw',
  'lapse',
  'cancel',
  'takeDown',
  'sellElsewhere',
])

/** The moves restated by hand: who makes each, where it leads, and when it is open. */
const specified: Record<DealMoveName, readonly Specified[]> = {
  request: [['BUYER', 'PENDING', endsWithItsCar]],
  reprice: [['BUYER', 'PENDING', ({ status }) => /PENDING|REJECTED/.test(status)]],
  propose: [['SELLER', 'PENDING', ({ status }) => status === 'PENDING']],
  decline: [['BUYER', 'PENDING', ({ status }) => status === 'PENDING']],
  confirm: [['SELLER', 'ACCEPTED', ({ status }) => status === 'PENDING']],
  deny: [['SELLER', 'REJECTED', ({ status }) => status === 'PENDING']],
  release: [['SELLER', 'REJECTED', ({ status, sellerSigned }) => status === 'ACCEPTED' && !sellerSigned]],
  withdraw: [
    ['BUYER', 'WITHDRAWN', ({ status, isPassed }) => !/COMPLETED|WITHDRAWN/.test(status) && !isPassed],
  ],
  sign: [
    ['SELLER', 'ACCEPTED', ({ status, sellerSigned }) => status === 'ACCEPTED' && !sellerSigned],
    ['BUYER', 'PENDING', (deal) => deal.status === 'PENDING' && !deal.buyerSigned && !deal.hasLapsed],
    ['BUYER', 'ACCEPTED', (deal) => deal.status === 'ACCEPTED' && !deal.buyerSigned && !deal.hasLapsed],
  ],
  lapse: [['CLOCK', 'PENDING', (deal) => deal.status === 'ACCEPTED' && !deal.isPassed && deal.hasHoldEnded]],
  complete: [
    ['ADMIN', 'COMPLETED', isPassedOn],
    ['DEALER', 'COMPLETED', isPassedOn],
  ],
  cancel: [['DEALER', 'WITHDRAWN', isPassedOn]],
  takeDown: [
    ['SELLER', 'WITHDRAWN', endsWithItsCar],
    ['ADMIN', 'WITHDRAWN', endsWithItsCar],
  ],
  sellElsewhere: [
    ['ADMIN', 'WITHDRAWN', endsWithItsCar],
    ['DEALER', 'WITHDRAWN', endsWithItsCar],
  ],
}

test('lets only the specified parties move a deal', () => {
  expect(dealParties).toEqual(parties)
})

const names = Object.keys(specified) as DealMoveName[]

// R-deals-19, R-deals-24, R-deals-29, R-deals-30
test.each(parties)('gives %s exactly the specified moves with their results', (party) => {
  for (const facts of everyDeal) {
    const specifiedFor = (name: DealMoveName) =>
      (facts.isPaused && !leaves.has(name) ? [] : specified[name])
        .filter(([by, , isOpen]) => by === party && isOpen(facts))
        .map(([by, to]) => [name, by, to])
    const open = possibleDealMoves(facts, party).map(({ name, by, to }) => [name, by, to])
    expect([facts, open]).toEqual([facts, names.flatMap(specifiedFor)])
    const found = names
      .map((name) => findDealMove(facts, party, name))
      .map((move) => move && [move.name, move.by, move.to])
    expect([facts, found]).toEqual([facts, names.map((name) => specifiedFor(name)[0] ?? null)])
  }
})

test('reserves a car only once its buyer is confirmed', () => {
  expect(dealStatuses).toEqual(['STARTED', 'PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED'])
  expect(statuses.filter(isPending)).toEqual(['PENDING'])
  expect(statuses.filter(isReserved)).toEqual(['ACCEPTED', 'COMPLETED'])
  expect(statuses.filter(isActiveRequest)).toEqual(['PENDING', 'ACCEPTED', 'COMPLETED'])
  expect([isPending(null), isReserved(null), isActiveRequest(null)]).toEqual([false, false, false])
})

test('binds the seller from their signature until both have signed (R-deals-24, R-deals-37)', () => {
  for (const facts of everyDeal) {
    const { status, sellerSigned, isPassed } = facts
    const held = (status === 'ACCEPTED' || status === 'COMPLETED') && sellerSigned && !isPassed
    expect([facts, isHeld(facts)]).toEqual([facts, held])
  }
})

// R-deals-52
test('picks the buyer who has the car, or else the oldest active request, as the intended buyer', () => {
  const intended = (...all: DealStatus[]) => {
    const deals = all.map((status, id) => ({ id, status }))
    return findIntendedDeal(deals)?.id
  }
  expect(intended('PENDING', 'PENDING')).toBe(0)
  expect(intended('STARTED', 'REJECTED', 'PENDING')).toBe(2)
  expect(intended('PENDING', 'ACCEPTED', 'PENDING')).toBe(1)
  expect(intended('PENDING', 'COMPLETED')).toBe(1)
  expect(intended('STARTED', 'REJECTED')).toBeUndefined()
})

test('blocks only the buyer after a hold has lapsed, and only a deal that could otherwise be signed (R-deals-37)', () => {
  const stopped = (side: 'SELLER' | 'BUYER', more: Partial<DealFacts>) =>
    statuses.filter((status) => isBlockedByLapse(deal(status, more), side))
  expect(stopped('BUYER', { hasLapsed: true })).toEqual(['PENDING', 'ACCEPTED'])
  expect(stopped('BUYER', { hasLapsed: false })).toEqual([])
  expect(stopped('BUYER', { hasLapsed: true, buyerSigned: true })).toEqual([])
  expect(stopped('SELLER', { hasLapsed: true })).toEqual([])
})

// R-deals-36
test('ends a hold after exactly 72 hours, to the millisecond', () => {
  expect(holdEnd(1_000)).toBe(1_000 + 72 * 60 * 60 * 1000)
})

// R-notifications-25
test('returns the next actions of both parties for each status, and none once the deal is over for them', () => {
  const fresh = {
    passedAt: null,
    taken: false,
    exclusivityExpired: false,
    sellerSigned: false,
    buyerSigned: false,
    proposedPrice: null,
  }
  expect(turnsOnDeal({ ...fresh, status: 'PENDING' })).toEqual(['sellerAnswers', 'buyerSigns'])
  expect(turnsOnDeal({ ...fresh, status: 'PENDING', proposedPrice: 920_000 })).toEqual(['buyerAnswers'])
  expect(turnsOnDeal({ ...fresh, status: 'PENDING', exclusivityExpired: true })).toEqual(['sellerAnswers'])
  expect(turnsOnDeal({ ...fresh, status: 'ACCEPTED' })).toEqual(['sellerSigns', 'buyerSigns'])
  expect(turnsOnDeal({ ...fresh, status: 'ACCEPTED', sellerSigned: true })).toEqual(['buyerSigns'])
  expect(turnsOnDeal({ ...fresh, status: 'REJECTED' })).toEqual(['buyerAsksAgain'])
  for (const over of [{ taken: true }, { passedAt: 'then' }])
    expect(turnsOnDeal({ ...fresh, ...over, status: 'PENDING' })).toEqual([])
  expect(turnsOnDeal({ ...fresh, status: 'COMPLETED' })).toEqual([])
})
