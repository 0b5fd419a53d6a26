import type { DealStatus } from './rules.ts'

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
