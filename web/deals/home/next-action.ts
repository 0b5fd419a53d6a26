import type { Car } from '@keyturn/contract/cars/calls.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'

const texts = dealTexts.home

/** The next step for a row of a dashboard, as a verb, and whether it is this person's turn. */
export type NextAction = { label: string; isMine: boolean }

type Row = Pick<Car, 'status' | 'buyerId' | 'taken' | 'soldElsewhere'>
type Signatures = Pick<Progress, 'sellerSigned' | 'buyerSigned' | 'exclusivityExpired'> | undefined

/** `progress` is the accepted buyer's; until it is loaded, the row just leads to the deal. */
export function sellersNext({ status, buyerId }: Row, progress: Signatures): NextAction {
  if (status === 'COMPLETED') return { label: texts.viewDeal, isMine: false }
  if (status === 'ACCEPTED') {
    const mustSign = progress?.sellerSigned === false
    return { label: mustSign ? texts.signAgreement : texts.openDeal, isMine: mustSign }
  }
  return buyerId ? { label: texts.confirmBuyer, isMine: true } : { label: texts.shareLink, isMine: false }
}

export function buyersNext({ status, taken, soldElsewhere }: Row, progress: Signatures): NextAction {
  if (status === 'COMPLETED' || soldElsewhere) return { label: texts.viewDeal, isMine: false }
  if (status === 'REJECTED') return { label: texts.seeAnswer, isMine: true }
  if (taken) return { label: texts.viewDeal, isMine: false }
  if (status === null) return { label: texts.continuePurchase, isMine: true }
  if (progress?.buyerSigned !== false) return { label: texts.viewDeal, isMine: false }
  // Once the 72 hours have ended, the seller must confirm again before the buyer may sign (R-deals-37).
  const mustWait = progress.exclusivityExpired
  return { label: mustWait ? texts.viewDeal : texts.signAgreement, isMine: !mustWait }
}
