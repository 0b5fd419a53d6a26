import { handOverState } from '@keyturn/contract/dealers/next-steps.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'

type PassedDeal = Pick<Progress, 'delivery' | 'dealerSteps' | 'dealerName'>

/**
 * Says where a signed deal's delivery stands; only an accepted one is with the dealer (R-deals-81).
 */
export const deliveryText = ({ delivery, dealerSteps, dealerName }: PassedDeal): string =>
  dealersTexts.handOver[handOverState({ delivery, reported: dealerSteps })](dealerName)

export const dealerTurnText = ({ delivery, dealerName }: PassedDeal): string =>
  dealersTexts.turns[delivery ?? 'WAITING'](dealerName)
