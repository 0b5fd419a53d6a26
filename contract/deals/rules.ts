import { exclusivityHours } from '../agreements/agreement.ts'
import { type SaleStatus, saleStatuses } from '../cars/rules.ts'
import { hourMs } from '../shared/dates.ts'

/** STARTED: the wizard has begun but there is no request yet; `null` on the wire. */
export type DealStatus = 'STARTED' | SaleStatus
export const dealStatuses: readonly DealStatus[] = ['STARTED', ...saleStatuses]
/** Who may move a deal; ADMIN is an administrator's session, CLOCK the database's clock, DEALER a signed call of the deal's dealer. */
export const dealParties = ['BUYER', 'SELLER', 'CLOCK', 'ADMIN', 'DEALER'] as const
export type DealParty = (typeof dealParties)[number]

/** What the rules need to know about a deal; only signatures that count for the present terms are included. */
export type DealFacts = {
  status: DealStatus
  sellerSigned: boolean
  buyerSigned: boolean
  /** Set once both have signed: from then on only completion is left. */
  passed: boolean
  /** The 72 hours that began with the seller's signature are over. */
  holdOver: boolean
  /** The hold of an earlier seller's signature has ended and the seller has not confirmed again. */
  lapsed: boolean
}

export type DealMoveName =
  | 'request'
  | 'reprice'
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
  /** WITHDRAWN is not a state: the deal is over, and its row says since when. */
  to: DealStatus | 'WITHDRAWN'
  /** Facts of the deal, each with its required value. */
  needs: Partial<Omit<DealFacts, 'status'>>
}

/** Nobody has the car by these. */
const unpromised = ['STARTED', 'PENDING', 'REJECTED'] as const
const unsigned = { buyerSigned: false, lapsed: false } as const

/** Who may move a deal from where to where, and what that needs (R-deals-19). */
const dealMoves: readonly DealMove[] = [
  { name: 'request', by: 'BUYER', from: unpromised, to: 'PENDING', needs: {} },
  { name: 'reprice', by: 'BUYER', from: ['PENDING', 'REJECTED'], to: 'PENDING', needs: {} },
  { name: 'confirm', by: 'SELLER', from: ['PENDING'], to: 'ACCEPTED', needs: {} },
  { name: 'deny', by: 'SELLER', from: ['PENDING'], to: 'REJECTED', needs: {} },
  { name: 'release', by: 'SELLER', from: ['ACCEPTED'], to: 'REJECTED', needs: { sellerSigned: false } },
  {
    name: 'withdraw',
    by: 'BUYER',
    from: [...unpromised, 'ACCEPTED'],
    to: 'WITHDRAWN',
    needs: { passed: false },
  },
  // Both sign the state that they find: a signature moves a deal on only by what follows from it.
  { name: 'sign', by: 'SELLER', from: ['ACCEPTED'], to: 'ACCEPTED', needs: { sellerSigned: false } },
  { name: 'sign', by: 'BUYER', from: ['PENDING'], to: 'PENDING', needs: unsigned },
  { name: 'sign', by: 'BUYER', from: ['ACCEPTED'], to: 'ACCEPTED', needs: unsigned },
  { name: 'lapse', by: 'CLOCK', from: ['ACCEPTED'], to: 'PENDING', needs: { passed: false, holdOver: true } },
  { name: 'complete', by: 'ADMIN', from: ['ACCEPTED'], to: 'COMPLETED', needs: { passed: true } },
  { name: 'complete', by: 'DEALER', from: ['ACCEPTED'], to: 'COMPLETED', needs: { passed: true } },
  { name: 'cancel', by: 'DEALER', from: ['ACCEPTED'], to: 'WITHDRAWN', needs: { passed: true } },
  // What ends with its car: the listing goes, or another buyer has bought it. Whoever has the car keeps it.
  { name: 'takeDown', by: 'SELLER', from: unpromised, to: 'WITHDRAWN', needs: {} },
  { name: 'takeDown', by: 'ADMIN', from: unpromised, to: 'WITHDRAWN', needs: {} },
  { name: 'sellElsewhere', by: 'ADMIN', from: unpromised, to: 'WITHDRAWN', needs: {} },
  { name: 'sellElsewhere', by: 'DEALER', from: unpromised, to: 'WITHDRAWN', needs: {} },
]

/** What a party can do with a deal right now: the screens offer exactly what the server accepts. */
export const movesOpen = (deal: DealFacts, party: DealParty): readonly DealMove[] =>
  dealMoves.filter(({ by, from, needs }) => by === party && from.includes(deal.status) && isMet(needs, deal))

/** The one among these moves that is open to a party, or null if none is. */
export const findMove = (
  deal: DealFacts,
  party: DealParty,
  ...names: readonly DealMoveName[]
): DealMove | null => movesOpen(deal, party).find(({ name }) => names.includes(name)) ?? null

const isMet = (needs: DealMove['needs'], deal: DealFacts): boolean =>
  Object.entries(needs).every(([fact, wanted]) => deal[fact as keyof DealFacts] === wanted)

const rowsOf = (...names: readonly DealMoveName[]) => dealMoves.filter(({ name }) => names.includes(name))
const takenStates: readonly (string | null)[] = rowsOf('confirm', 'complete').map(({ to }) => to)
const pendingStates: readonly (string | null)[] = rowsOf('confirm').flatMap(({ from }) => from)

/** A request that waits for the seller's answer. */
export const isPending = (status: DealStatus | null): boolean => pendingStates.includes(status)

/** A buyer has the car: confirmed or completed. */
export const isReserved = (status: DealStatus | null): boolean => takenStates.includes(status)

/** The seller's own signature binds them: they can change nothing until it lapses or the buyer signs. */
export const isHeld = ({ status, sellerSigned, passed }: DealFacts): boolean =>
  isReserved(status) && sellerSigned && !passed

/** A request that can be confirmed, or has been. */
export const isActiveRequest = (status: DealStatus | null): boolean => isReserved(status) || isPending(status)

/** Of a car's deals, oldest first, the one a seller's row is about: whoever has the car, else whoever asked first. */
export const intendedOf = <Deal extends { status: DealStatus }>(deals: readonly Deal[]): Deal | undefined =>
  deals.find(({ status }) => isReserved(status)) ?? deals.find(({ status }) => isActiveRequest(status))

/** Whether nothing but a lapsed hold keeps a side from signing: the seller has to confirm again first (R-deals-37). */
export const isLapseInTheWay = (deal: DealFacts, side: 'SELLER' | 'BUYER'): boolean =>
  findMove(deal, side, 'sign') === null && findMove({ ...deal, lapsed: false }, side, 'sign') !== null

/** End of the hold that a seller's signature starts, given its time in epoch milliseconds. */
export const holdEnd = (signedAtMs: number): number => signedAtMs + exclusivityHours * hourMs

/** What a dealer says about a deal that was passed to it. */
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

/** `after`: each of these has been said before. `before`: none of these has. `again`: it may be said once more, in other words. */
type Order = { after: readonly DealerStepName[]; before: readonly DealerStepName[]; again?: true }

/** Which step may follow which (R-deals-75). Money and title come in either order, and may come after the sale is called complete. */
const dealerOrder: Record<DealerStepName, Order> = {
  accepted: { after: [], before: ['complete', 'cancelled'] },
  needsDocument: { after: ['accepted'], before: ['complete', 'cancelled'], again: true },
  appointment: { after: ['accepted'], before: ['complete', 'cancelled'], again: true },
  paidSeller: { after: ['accepted'], before: ['cancelled'] },
  titleReceived: { after: ['accepted'], before: ['cancelled'] },
  complete: { after: [], before: ['cancelled'] },
  cancelled: { after: [], before: ['paidSeller', 'titleReceived', 'complete'] },
}

/** `done`: it was said before, and saying it again changes nothing. */
export function dealerStepOpen(
  step: DealerStepName,
  said: readonly DealerStepName[],
): 'open' | 'done' | 'out of order' {
  const { after, before, again } = dealerOrder[step]
  if (!again && said.includes(step)) return 'done'
  const isOpen = after.every((one) => said.includes(one)) && !before.some((one) => said.includes(one))
  return isOpen ? 'open' : 'out of order'
}

/** What a dealer can say next. */
export const dealerStepsOpen = (said: readonly DealerStepName[]): DealerStepName[] =>
  dealerSteps.filter((step) => dealerStepOpen(step, said) === 'open')

type Standing = {
  status: DealStatus | null
  passedAt: unknown
  /** The car is promised or sold to another buyer. */
  taken: boolean
  /** The 72 hours ended, and the seller has not confirmed again. */
  exclusivityExpired: boolean
  sellerSigned: boolean
  buyerSigned: boolean
}

/** What somebody can do next on a deal. */
export type DealTurn = 'sellerAnswers' | 'sellerSigns' | 'buyerSigns' | 'buyerAsksAgain'

/** Whose turn it is: what the pages of a deal say, and what people are reminded of. It may be both sides'. */
export function turnsOnDeal(deal: Standing): DealTurn[] {
  const { status, passedAt, taken, exclusivityExpired, sellerSigned, buyerSigned } = deal
  if (passedAt !== null || taken) return []
  if (status === 'REJECTED') return ['buyerAsksAgain']
  const turns: DealTurn[] = []
  if (status === 'PENDING') turns.push('sellerAnswers')
  if (status === 'ACCEPTED' && !sellerSigned) turns.push('sellerSigns')
  if ((status === 'PENDING' || status === 'ACCEPTED') && !buyerSigned && !exclusivityExpired)
    turns.push('buyerSigns')
  return turns
}
