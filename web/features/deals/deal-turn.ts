import { fullName, type Party } from '@keyturn/contract/accounts/rules.ts'
import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { type DealStatus, turnsOnDeal } from '@keyturn/contract/deals/rules.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { TurnState } from '../../components/display/turn.tsx'
import { isDocumentRequested, signedDealText } from '../agreements/signed/signed-deal-text.ts'

const selling = sellingTexts.turns
const buying = wizardTexts.turns
const mine = (text: string): TurnState => ({ text, mine: true })
const theirs = (text: string): TurnState => ({ text, mine: false })

type TurnOf = (deal: Progress) => TurnState | undefined
const nobody: TurnOf = () => undefined
const unlessTaken =
  (turnOf: TurnOf): TurnOf =>
  (deal) =>
    deal.taken ? theirs(buying.another) : turnOf(deal)
const buyerSigns = (otherwise: (seller: string) => string) =>
  unlessTaken((deal) => {
    const seller = fullName(deal.seller)
    if (turnsOnDeal(deal).includes('buyerSigns')) return mine(buying.sign)
    return theirs(deal.exclusivityExpired ? buying.confirmAgain(seller) : otherwise(seller))
  })

const turns: Record<DealStatus, Record<Party, TurnOf>> = {
  // The wizard's question already says what the buyer does next.
  STARTED: { SELLER: nobody, BUYER: nobody },
  PENDING: {
    SELLER: ({ buyer, proposedPrice }) =>
      proposedPrice === null
        ? mine(selling.review(fullName(buyer)))
        : theirs(selling.proposed(fullName(buyer))),
    BUYER: (deal) =>
      turnsOnDeal(deal).includes('buyerAnswers')
        ? mine(buying.answer)
        : buyerSigns(buying.confirmAndSign)(deal),
  },
  ACCEPTED: {
    SELLER: ({ sellerSigned, buyer }) =>
      sellerSigned ? theirs(selling.buyer(fullName(buyer))) : mine(selling.sign),
    BUYER: buyerSigns(buying.sellerSigns),
  },
  REJECTED: { SELLER: nobody, BUYER: unlessTaken(() => mine(buying.rejected)) },
  COMPLETED: { SELLER: nobody, BUYER: nobody },
}

export function dealTurn(deal: Progress, side: Party): TurnState | undefined {
  if (deal.isPaused) return theirs(suspensionTexts.paused.turn)
  if (deal.passedAt !== null && !deal.completed)
    return { text: signedDealText(deal), mine: isDocumentRequested(deal) }
  return turns[deal.status ?? 'STARTED'][side](deal)
}
