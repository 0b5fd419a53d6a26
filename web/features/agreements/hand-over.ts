import { handOverStatus } from '@keyturn/contract/dealers/next-steps.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'

type Passed = Pick<Progress, 'delivery' | 'dealerSteps' | 'dealerName'>

/**
 * Returns the state of a signed deal's delivery; only an accepted one is with the dealer
 * (R-deals-81).
 */
export const handOverText = ({ delivery, dealerSteps, dealerName }: Passed): string =>
  dealersTexts.handOver[handOverStatus({ delivery, reported: dealerSteps })](dealerName)

export const dealersTurn = ({ delivery, dealerName }: Passed): string =>
  dealersTexts.turns[delivery ?? 'WAITING'](dealerName)
