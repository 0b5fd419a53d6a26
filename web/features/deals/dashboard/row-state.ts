import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { requestedText } from '@keyturn/contract/dealers/next-steps.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { DealStatus } from '@keyturn/contract/deals/rules.ts'
import type { DashboardCar, DealerStep } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatDeadline } from '@keyturn/contract/shared/dates.ts'
import { type Cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import type { StatusBadgeProps } from '../../../components/display/status-badge.tsx'
import type { NamedPrice } from '../../cars/row-facts.tsx'

const texts = dealTexts.home

export type Row = Pick<
  DashboardCar,
  | 'status'
  | 'buyerId'
  | 'taken'
  | 'soldElsewhere'
  | 'calledOff'
  | 'calledOffSales'
  | 'askingPrice'
  | 'agreedPrice'
  | 'deal'
  | 'waitingOffers'
  | 'bestOffer'
  | 'deniedRequests'
  | 'dealerName'
>
/**
 * A row's next step, as a verb, and whether it is this person's turn. It opens the deal, or the
 * seller's answer if `opensAnswer` is set. `reason` says why it is their turn where no note does.
 */
type NextAction = { label: string; isMine: boolean; opensAnswer?: true; reason?: string }

type RowState = {
  badge: StatusBadgeProps
  /** Explains the badge; empty where the label is enough. */
  noteOf: (row: Row) => string
  /** Returns the row's prices, the current one first (R-deals-58). */
  pricesOf: (row: Row) => NamedPrice[]
  nextOf: (row: Row) => NextAction
  /** Nothing is left to do. */
  isOver?: true
}

const viewDeal: NextAction = { label: texts.viewDeal, isMine: false }
const signAgreement: NextAction = { label: texts.signAgreement, isMine: true }
const continuePurchase: NextAction = {
  label: texts.continuePurchase,
  isMine: true,
  reason: texts.notFinished,
}
const seeAnswer: NextAction = {
  label: texts.seeAnswer,
  isMine: true,
  opensAnswer: true,
  reason: texts.rejectedText,
}
const noNote = () => ''

const asking = ({ askingPrice }: Row): NamedPrice => ({ cents: askingPrice, name: texts.prices.asking })
const askingAndOwn = (row: Row) => [asking(row), { cents: row.deal?.price ?? null, name: texts.prices.yours }]
const agreed = ({ agreedPrice }: Row) => [{ cents: agreedPrice, name: texts.prices.agreed }]

const hasProposal = <Each extends Row>(row: Each): row is Each & { deal: { proposedPrice: Cents } } =>
  !row.taken && row.deal?.proposedPrice != null

const withoutBuyer: RowState = {
  badge: { status: 'PENDING' },
  noteOf({ waitingOffers, bestOffer, deniedRequests, calledOffSales: [last] }) {
    if (bestOffer !== null) return texts.offers(waitingOffers, formatUsd(bestOffer))
    if (deniedRequests > 0) return texts.denied(deniedRequests)
    return last ? dealersTexts.calledOff.by(last.dealer) : texts.listed
  },
  pricesOf(row) {
    const { waitingOffers, bestOffer } = row
    if (bestOffer === null) return [asking(row)]
    return [
      asking(row),
      { cents: bestOffer, name: waitingOffers > 1 ? texts.prices.best : texts.prices.offer },
    ]
  },
  nextOf: (row) =>
    row.buyerId
      ? {
          label: row.waitingOffers > 1 ? texts.confirmOneOfThem : texts.confirmBuyer,
          isMine: !(hasProposal(row) && row.waitingOffers === 1),
        }
      : { label: texts.shareLink, isMine: false },
}

const toSign: Pick<RowState, 'nextOf'> = {
  nextOf({ taken, deal }) {
    // Once the 72 hours have ended, the seller must confirm again before the buyer may sign
    // (R-deals-37).
    return taken || deal?.buyerSigned !== false || deal.exclusivityExpired ? viewDeal : signAgreement
  },
}

/** Says what the dealer has asked for last, until its next step. */
const passedNote = (last: DealerStep | null, dealer: string): string =>
  requestedText({ last, now: new Date().toISOString() }, dealer) ?? texts.passedTo(dealer)

const signingNote =
  (signed: string) =>
  ({ taken, deal, dealerName }: Row): string => {
    if (taken) return texts.taken
    if (!deal) return ''
    if (deal.passedAt) return passedNote(deal.dealerStep, dealerName)
    if (deal.exclusivityExpired) return texts.holdEnded
    if (deal.buyerSigned) return signed
    return deal.exclusiveUntil ? texts.signBy(formatDeadline(deal.exclusiveUntil)) : texts.toSign
  }

const completed: RowState = {
  badge: { status: 'COMPLETED' },
  noteOf: noNote,
  pricesOf: agreed,
  nextOf: () => viewDeal,
  isOver: true,
}

/** How a dashboard shows a deal to either side (R-deals-48, R-deals-49, R-deals-50). */
const rowStates: Record<DealStatus, Record<Party, RowState>> = {
  STARTED: {
    SELLER: withoutBuyer,
    BUYER: {
      badge: { status: 'PENDING', label: texts.notRequested },
      noteOf: ({ taken }) => (taken ? texts.taken : ''),
      pricesOf: (row) => [asking(row)],
      nextOf: ({ taken }) => (taken ? viewDeal : continuePurchase),
    },
  },
  PENDING: {
    SELLER: withoutBuyer,
    BUYER: {
      badge: { status: 'PENDING' },
      noteOf: (row) =>
        hasProposal(row)
          ? texts.proposed(formatUsd(row.deal.proposedPrice))
          : signingNote(texts.waitsForSeller)(row),
      nextOf: (row) =>
        hasProposal(row) ? { label: texts.answerProposal, isMine: true } : toSign.nextOf(row),
      pricesOf: askingAndOwn,
    },
  },
  ACCEPTED: {
    SELLER: {
      badge: { status: 'ACCEPTED' },
      noteOf({ deal, dealerName }) {
        if (!deal) return ''
        if (deal.passedAt) return passedNote(deal.dealerStep, dealerName)
        if (!deal.sellerSigned) return texts.toSign
        return deal.exclusiveUntil ? texts.buyerSignsBy(formatDeadline(deal.exclusiveUntil)) : ''
      },
      pricesOf: agreed,
      nextOf: ({ deal }) =>
        deal?.sellerSigned === false ? signAgreement : { label: texts.openDeal, isMine: false },
    },
    BUYER: {
      ...toSign,
      badge: { status: 'ACCEPTED' },
      noteOf: signingNote(texts.waitsForSignature),
      pricesOf: agreed,
    },
  },
  REJECTED: {
    SELLER: withoutBuyer,
    BUYER: {
      badge: { status: 'REJECTED' },
      noteOf: noNote,
      pricesOf: askingAndOwn,
      nextOf: () => seeAnswer,
    },
  },
  COMPLETED: { SELLER: completed, BUYER: completed },
}

/** Nobody can act on a paused deal, except to leave it. */
const paused = (state: RowState): RowState => ({
  ...state,
  noteOf: () => suspensionTexts.paused.turn,
  nextOf: () => viewDeal,
})

/** Returns a row's state. A canceled sale, or one to another buyer, is over whatever its status. */
export function rowState(
  row: Pick<Row, 'status' | 'soldElsewhere' | 'calledOff' | 'deal' | 'waitingOffers'>,
  side: Party,
): RowState {
  const base = rowStates[row.status ?? 'STARTED'][side]
  // While the oldest request is paused, the seller can answer the others.
  const hasOthers = side === 'SELLER' && row.status === 'PENDING' && row.waitingOffers > 0
  const state = row.deal?.isPaused && !hasOthers ? paused(base) : base
  if (!row.soldElsewhere && !row.calledOff) return state
  const { status: label } = row.calledOff ? dealersTexts.calledOff : termsTexts.lost
  return { ...completed, badge: { status: 'REJECTED', label }, pricesOf: state.pricesOf }
}

/**
 * Sorts rows with the person's turn first and finished ones last, and otherwise keeps their order.
 */
export function sortTurnFirst<Each extends Row>(rows: readonly Each[], side: Party): Each[] {
  const place = (row: Each) => {
    const { nextOf, isOver } = rowState(row, side)
    return nextOf(row).isMine ? 0 : isOver ? 2 : 1
  }
  return [...rows].sort((one, other) => place(one) - place(other))
}
