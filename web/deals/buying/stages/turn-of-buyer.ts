import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { TurnState } from '../../../ui/deal/turn.tsx'
import { dealersTurn } from '../../agreement/hand-over.ts'

const texts = wizardTexts.turns

/** Whose turn it is, as the buyer sees it; before there is a request, the question itself says so. */
export function turnOfBuyer(progress: Progress): TurnState | undefined {
  const { status, buyerSigned, exclusivityExpired, taken } = progress
  const seller = fullName(progress.seller)
  if (status === null || status === 'COMPLETED') return undefined
  if (progress.passedAt !== null) return theirs(dealersTurn(progress))
  if (taken) return theirs(texts.another)
  if (status === 'REJECTED') return mine(texts.rejected)
  if (exclusivityExpired) return theirs(texts.confirmAgain(seller))
  if (!buyerSigned) return mine(texts.sign)
  return theirs(status === 'ACCEPTED' ? texts.sellerSigns(seller) : texts.confirmAndSign(seller))
}

const mine = (text: string): TurnState => ({ text, mine: true })
const theirs = (text: string): TurnState => ({ text, mine: false })
