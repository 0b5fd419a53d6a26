import type { DashboardCar } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'

const texts = dealTexts.home

/** The next step for a row of a dashboard, as a verb, and whether it is this person's turn. */
export type NextAction = { label: string; isMine: boolean }

type Row = Pick<DashboardCar, 'status' | 'buyerId' | 'taken' | 'soldElsewhere' | 'calledOff' | 'deal'>

export function sellersNext({ status, buyerId, deal }: Row): NextAction {
  if (status === 'COMPLETED') return { label: texts.viewDeal, isMine: false }
  if (status === 'ACCEPTED') {
    const mustSign = deal?.sellerSigned === false
    return { label: mustSign ? texts.signAgreement : texts.openDeal, isMine: mustSign }
  }
  return buyerId ? { label: texts.confirmBuyer, isMine: true } : { label: texts.shareLink, isMine: false }
}

export function buyersNext({ status, taken, soldElsewhere, calledOff, deal }: Row): NextAction {
  if (status === 'COMPLETED' || soldElsewhere || calledOff) return { label: texts.viewDeal, isMine: false }
  if (status === 'REJECTED') return { label: texts.seeAnswer, isMine: true }
  if (taken) return { label: texts.viewDeal, isMine: false }
  if (status === null) return { label: texts.continuePurchase, isMine: true }
  if (deal?.buyerSigned !== false) return { label: texts.viewDeal, isMine: false }
  // Once the 72 hours have ended, the seller must confirm again before the buyer may sign
  // (R-deals-37).
  const mustWait = deal.exclusivityExpired
  return { label: mustWait ? texts.viewDeal : texts.signAgreement, isMine: !mustWait }
}

/** Sorts rows with the person's turn first and finished ones last; otherwise newest first. */
export const turnFirst = <Each extends Pick<Row, 'status' | 'soldElsewhere' | 'calledOff'>>(
  rows: readonly Each[],
  next: (row: Each) => NextAction,
): Each[] => {
  const place = (row: Each) => (next(row).isMine ? 0 : isOver(row) ? 2 : 1)
  return [...rows].sort((one, other) => place(one) - place(other))
}

const isOver = ({ status, soldElsewhere, calledOff }: Pick<Row, 'status' | 'soldElsewhere' | 'calledOff'>) =>
  status === 'COMPLETED' || soldElsewhere || calledOff
