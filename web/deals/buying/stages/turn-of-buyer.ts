import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { turnsOnDeal } from '@keyturn/contract/deals/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { TurnState } from '../../../ui/deal/turn.tsx'
import { dealersTurn } from '../../agreement/hand-over.ts'

const texts = wizardTexts.turns

/** Whose turn it is, as the buyer sees it; before there is a request, the question itself says so. */
export function turnOfBuyer(progress: Progress): TurnState | undefined {
  const { status, exclusivityExpired, taken } = progress
  const seller = fullName(progress.seller)
  if (status === null || status === 'COMPLETED') return undefined
  if (progress.passedAt !== null) return theirs(dealersTurn(progress))
  if (taken) return theirs(texts.another)
  const turns = turnsOnDeal(progress)
  if (turns.includes('buyerAsksAgain')) return mine(texts.rejected)
  if (turns.includes('buyerSigns')) return mine(texts.sign)
  if (exclusivityExpired) return theirs(texts.confirmAgain(seller))
  return theirs(status === 'ACCEPTED' ? texts.sellerSigns(seller) : texts.confirmAndSign(seller))
}

const mine = (text: string): TurnState => ({ text, mine: true })
const theirs = (text: string): TurnState => ({ text, mine: false })
