import { type SaleStatus, saleStatuses } from '../cars/rules.ts'
import { hourMs } from '../shared/dates.ts'

/** STARTED: the wizard has begun but there is no request yet; `null` on the wire. */
export type DealStatus = 'STARTED' | SaleStatus
export const dealStatuses: readonly DealStatus[] = ['STARTED', ...saleStatuses]
/**
 * Parties that move a deal. ADMIN is an administrator's session, CLOCK the database's clock, DEALER
 * a signed request of the deal's dealer.
 */
export const dealParties = ['BUYER', 'SELLER', 'CLOCK', 'ADMIN', 'DEALER'] as const
export type DealParty = (typeof dealParties)[number]

/** Input of the rules; includes only signatures that count for the current terms. */
export type DealFacts = {
  status: DealStatus
  sellerSigned: boolean
  buyerSigned: boolean
  /** Set once both have signed: then only completion is left. */
  isPassed: boolean
  /** The 72 hours that began with the seller's signature are over. */
  hasHoldEnded: boolean
  /**
   * The hold from a previous signature by the seller has ended, and the seller has not confirmed
   * again.
   */
  hasLapsed: boolean
  /** The account of a party is suspended: the deal can end but does not move on (R-deals-117). */
  isPaused: boolean
}

export type DealMoveName =
  | 'request'
  | 'reprice'
  | 'propose'
  | 'decline'
  | 'confirm'
  | 'deny'
  | 'release'
  | 'withdraw'
  | 'sign'
  | 'lapse'
  | 'complete'
  | 'cancel'
  | 'takeDown'
  | 'sellElsewhere'
export type DealMove = {
  name: DealMoveName
  by: DealParty
  from: readonly DealStatus[]
  /** WITHDRAWN is not a status: the deal is over, and its row stores when it ended. */
  to: DealStatus | 'WITHDRAWN'
  /** Required values of the deal's facts. */
  needs: Partial<Omit<DealFacts, 'status'>>
}

const unreserved = ['STARTED', 'PENDING', 'REJECTED'] as const
const active = { isPaused: false } as const
const unsigned = { ...active, buyerSigned: false, hasLapsed: false } as const

/** All moves of a deal, with the states they start from and their conditions (R-deals-19). */
const dealMoves: readonly DealMove[] = [
  { name: 'request', by: 'BUYER', from: unreserved, to: 'PENDING', needs: active },
  { name: 'reprice', by: 'BUYER', from: ['PENDING', 'REJECTED'], to: 'PENDING', needs: active },
  // A proposal alone changes neither the offer nor the status. Accepting it is a `reprice`.
  { name: 'propose', by: 'SELLER', from: ['PENDING'], to: 'PENDING', needs: active },
  { name: 'decline', by: 'BUYER', from: ['PENDING'], to: 'PENDING', needs: active },
  { name: 'confirm', by: 'SELLER', from: ['PENDING'], to: 'ACCEPTED', needs: active },
  { name: 'deny', by: 'SELLER', from: ['PENDING'], to: 'REJECTED', needs: {} },
  { name: 'release', by: 'SELLER', from: ['ACCEPTED'], to: 'REJECTED', needs: { sellerSigned: false } },
  {
    name: 'withdraw',
    by: 'BUYER',
    from: [...unreserved, 'ACCEPTED'],
    to: 'WITHDRAWN',
    needs: { isPassed: false },
  },
  // A signature alone does not change the status.
  {
    name: 'sign',
    by: 'SELLER',
    from: ['ACCEPTED'],
    to: 'ACCEPTED',
    needs: { ...active, sellerSigned: false },
  },
  { name: 'sign', by: 'BUYER', from: ['PENDING'], to: 'PENDING', needs: unsigned },
  { name: 'sign', by: 'BUYER', from: ['ACCEPTED'], to: 'ACCEPTED', needs: unsigned },
  {
    name: 'lapse',
    by: 'CLOCK',
    from: ['ACCEPTED'],
    to: 'PENDING',
    needs: { isPassed: false, hasHoldEnded: true },
  },
  {
    name: 'complete',
    by: 'ADMIN',
    from: ['ACCEPTED'],
    to: 'COMPLETED',
    needs: { ...active, isPassed: true },
  },
  {
    name: 'complete',
    by: 'DEALER',
    from: ['ACCEPTED'],
    to: 'COMPLETED',
    needs: { ...active, isPassed: true },
  },
  { name: 'cancel', by: 'DEALER', from: ['ACCEPTED'], to: 'WITHDRAWN', needs: { isPassed: true } },
  // A deal ends when its listing is deleted or another buyer buys the car. A buyer who has the car
  // keeps it.
  { name: 'takeDown', by: 'SELLER', from: unreserved, to: 'WITHDRAWN', needs: {} },
  { name: 'takeDown', by: 'ADMIN', from: unreserved, to: 'WITHDRAWN', needs: {} },
  { name: 'sellElsewhere', by: 'ADMIN', from: unreserved, to: 'WITHDRAWN', needs: {} },
  { name: 'sellElsewhere', by: 'DEALER', from: unreserved, to: 'WITHDRAWN', needs: {} },
]

/** Returns the moves that a party can make now: screens offer exactly what the server accepts. */
export const possibleDealMoves = (deal: DealFacts, party: DealParty): readonly DealMove[] =>
  dealMoves.filter(({ by, from, needs }) => by === party && from.includes(deal.status) && isMet(needs, deal))

/** Returns the first of the named moves that is open to a party; null if none is. */
export const findDealMove = (
  deal: DealFacts,
  party: DealParty,
  ...names: readonly DealMoveName[]
): DealMove | null => possibleDealMoves(deal, party).find(({ name }) => names.includes(name)) ?? null

const isMet = (needs: DealMove['needs'], deal: DealFacts): boolean =>
  Object.entries(needs).every(([fact, wanted]) => deal[fact as keyof DealFacts] === wanted)

const rowsOf = (...names: readonly DealMoveName[]) => dealMoves.filter(({ name }) => names.includes(name))
const reservedStatuses: readonly (string | null)[] = rowsOf('confirm', 'complete').map(({ to }) => to)
const pendingStatuses: readonly (string | null)[] = rowsOf('confirm').flatMap(({ from }) => from)

/** A request that waits for the seller's answer. */
export const isPending = (status: DealStatus | null): boolean => pendingStatuses.includes(status)

/** A buyer has the car: confirmed or completed. */
export const isReserved = (status: DealStatus | null): boolean => reservedStatuses.includes(status)

/** The hold is active: the seller has signed and cannot deny or release the buyer. */
export const isHeld = ({ status, sellerSigned, isPassed }: DealFacts): boolean =>
  isReserved(status) && sellerSigned && !isPassed

/** A request that can be confirmed or is confirmed. */
export const isActiveRequest = (status: DealStatus | null): boolean => isReserved(status) || isPending(status)

/**
 * Returns the deal that a seller's row shows: the buyer who has the car, otherwise the oldest
 * active request. `deals` must be ordered oldest first.
 */
export const findIntendedDeal = <Deal extends { status: DealStatus }>(
  deals: readonly Deal[],
): Deal | undefined =>
  deals.find(({ status }) => isReserved(status)) ?? deals.find(({ status }) => isActiveRequest(status))

/**
 * Returns whether only a lapsed hold prevents a party from signing: the seller has to confirm again
 * first (R-deals-37).
 */
export const isBlockedByLapse = (deal: DealFacts, side: 'SELLER' | 'BUYER'): boolean =>
  findDealMove(deal, side, 'sign') === null &&
  findDealMove({ ...deal, hasLapsed: false }, side, 'sign') !== null

const exclusivityHours = 72

/** Returns the end of the hold that a seller's signature starts, both in epoch milliseconds. */
export const holdEnd = (signedAtMs: number): number => signedAtMs + exclusivityHours * hourMs

export const dealerSteps = [
  'accepted',
  'needsDocument',
  'appointment',
  'paidSeller',
  'titleReceived',
  'complete',
  'cancelled',
] as const
export type DealerStepName = (typeof dealerSteps)[number]

/**
 * `after`: steps that must have been reported. `before`: steps that must not have been reported.
 * `again`: may be repeated with new details.
 */
type Order = { after: readonly DealerStepName[]; before: readonly DealerStepName[]; again?: true }

/**
 * Allowed order of steps (R-deals-75). Money and title come in either order, even after the sale is
 * complete.
 */
const dealerOrder: Record<DealerStepName, Order> = {
  accepted: { after: [], before: ['complete', 'cancelled'] },
  needsDocument: { after: ['accepted'], before: ['complete', 'cancelled'], again: true },
  appointment: { after: ['accepted'], before: ['complete', 'cancelled'], again: true },
  paidSeller: { after: ['accepted'], before: ['cancelled'] },
  titleReceived: { after: ['accepted'], before: ['cancelled'] },
  complete: { after: [], before: ['cancelled'] },
  cancelled: { after: [], before: ['paidSeller', 'titleReceived', 'complete'] },
}

/** `done`: already reported, so a repetition changes nothing. */
export function checkDealerStep(
  step: DealerStepName,
  reported: readonly DealerStepName[],
): 'open' | 'done' | 'out of order' {
  const { after, before, again } = dealerOrder[step]
  if (!again && reported.includes(step)) return 'done'
  const isOpen = after.every((one) => reported.includes(one)) && !before.some((one) => reported.includes(one))
  return isOpen ? 'open' : 'out of order'
}

export const possibleDealerSteps = (reported: readonly DealerStepName[]): DealerStepName[] =>
  dealerSteps.filter((step) => checkDealerStep(step, reported) === 'open')

type TurnFacts = {
  status: DealStatus | null
  passedAt: unknown
  /** The car is promised or sold to another buyer. */
  taken: boolean
  /** The 72 hours ended, and the seller has not confirmed again. */
  exclusivityExpired: boolean
  sellerSigned: boolean
  buyerSigned: boolean
  /** The seller's open proposal. */
  proposedPrice: unknown
  /** A row of an older server has no value. */
  isPaused?: boolean | undefined
}

/** An action that a party can take next on a deal. */
export type DealTurn = 'sellerAnswers' | 'buyerAnswers' | 'sellerSigns' | 'buyerSigns' | 'buyerAsksAgain'

const turnsIn: Record<DealStatus, readonly DealTurn[]> = {
  STARTED: [],
  PENDING: ['sellerAnswers', 'buyerAnswers', 'buyerSigns'],
  ACCEPTED: ['sellerSigns', 'buyerSigns'],
  REJECTED: ['buyerAsksAgain'],
  COMPLETED: [],
}
const isOpenTurn: Record<DealTurn, (deal: TurnFacts) => boolean> = {
  sellerAnswers: ({ proposedPrice }) => proposedPrice === null,
  buyerAnswers: ({ proposedPrice }) => proposedPrice !== null,
  sellerSigns: ({ sellerSigned }) => !sellerSigned,
  buyerSigns: ({ buyerSigned, exclusivityExpired, proposedPrice }) =>
    !buyerSigned && !exclusivityExpired && proposedPrice === null,
  buyerAsksAgain: () => true,
}

/** Returns whose turn it is, for the pages of a deal and for reminders. It may be both parties'. */
export const turnsOnDeal = (deal: TurnFacts): DealTurn[] =>
  deal.passedAt !== null || deal.taken || deal.isPaused
    ? []
    : turnsIn[deal.status ?? 'STARTED'].filter((turn) => isOpenTurn[turn](deal))

/** WAITING: will be tried (again). PARKED: failed for three days, or cannot be tried at all. */
export const deliveryStates = ['WAITING', 'DELIVERED', 'PARKED'] as const
export type DeliveryState = (typeof deliveryStates)[number]
