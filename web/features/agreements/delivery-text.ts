import { requestedText } from '@keyturn/contract/dealers/next-steps.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'

type PassedDeal = Pick<Progress, 'delivery' | 'dealerSteps' | 'dealerName' | 'now'>

/**
 * Says where a signed deal's delivery stands; only an accepted one is with the dealer (R-deals-81).
 */
export const deliveryText = ({ delivery, dealerName }: Pick<PassedDeal, 'delivery' | 'dealerName'>): string =>
  dealersTexts.handOver[delivery ?? 'WAITING'](dealerName)

export const dealerTurnText = ({ delivery, dealerSteps, dealerName, now }: PassedDeal): string =>
  requestedText({ last: dealerSteps.at(-1) ?? null, now }, dealerName) ??
  dealersTexts.turns[delivery ?? 'WAITING'](dealerName)
