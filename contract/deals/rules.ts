import type { SaleStatus } from '../cars/rules.ts'
import { hourMs } from '../kit/dates.ts'
import { exclusivityHours } from './agreement.ts'

/** STARTED is a wizard begun without a request yet; on the wire it is `null`. */
export type DealStatus = 'STARTED' | SaleStatus
export type DealParty = 'SELLER' | 'BUYER' | 'CLOCK' | 'ADMIN'

/** What the rules need to know of a deal; signatures are the ones that count for the present terms. */
export type DealFacts = {
  status: DealStatus
  sellerSigned: boolean
  buyerSigned: boolean
  /** Set once both have signed: from then on only completion is left. */
  passed: boolean
  /** The hold of an earlier seller's signature has ended and the seller has not confirmed again. */
  lapsed: boolean
}

type DealMove = {
  name: DealMoveName
  by: DealParty
  from: readonly DealStatus[]
  to: DealStatus | 'WITHDRAWN'
  needs?: (deal: DealFacts) => boolean
}
export type DealMoveName =
  | 'request'
  | 'reprice'
  | 'confirm'
  | 'deny'
  | 'release'
  | 'withdraw'
  | 'lapse'
  | 'complete'

const sellerUnsigned = (deal: DealFacts) => !deal.sellerSigned

/** Who may move a request from where to where (R-deals-19). */
export const dealMoves: readonly DealMove[] = [
  { name: 'request', by: 'BUYER', from: ['STARTED', 'PENDING', 'REJECTED'], to: 'PENDING' },
  { name: 'reprice', by: 'BUYER', from: ['PENDING', 'REJECTED'], to: 'PENDING' },
  { name: 'confirm', by: 'SELLER', from: ['PENDING'], to: 'ACCEPTED' },
  { name: 'deny', by: 'SELLER', from: ['PENDING'], to: 'REJECTED' },
  { name: 'release', by: 'SELLER', from: ['ACCEPTED'], to: 'REJECTED', needs: sellerUnsigned },
  {
    name: 'withdraw',
    by: 'BUYER',
    from: ['STARTED', 'PENDING', 'REJECTED', 'ACCEPTED'],
    to: 'WITHDRAWN',
    needs: (deal) => !deal.passed,
  },
  {
    name: 'lapse',
    by: 'CLOCK',
    from: ['ACCEPTED'],
    to: 'PENDING',
    needs: (deal) => deal.sellerSigned && !deal.passed,
  },
  { name: 'complete', by: 'ADMIN', from: ['ACCEPTED'], to: 'COMPLETED', needs: (deal) => deal.passed },
]

export function moveAllowed(name: DealMoveName, deal: DealFacts): boolean {
  const move = dealMoves.find((candidate) => candidate.name === name)
  return move?.from.includes(deal.status) === true && (move.needs?.(deal) ?? true)
}

/** Why a side may not sign now, or null when it may (R-deals-30, R-deals-37). */
export function signingRefusal(
  side: 'SELLER' | 'BUYER',
  deal: DealFacts,
): 'InvalidTransition' | 'ExclusivityExpired' | null {
  if (side === 'SELLER') return deal.status === 'ACCEPTED' ? null : 'InvalidTransition'
  if (deal.lapsed) return 'ExclusivityExpired'
  return deal.status === 'PENDING' || deal.status === 'ACCEPTED' ? null : 'InvalidTransition'
}

/** End of the hold that a seller's signature starts, given its time in epoch milliseconds. */
export const holdEnd = (signedAtMs: number): number => signedAtMs + exclusivityHours * hourMs
