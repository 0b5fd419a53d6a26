import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'

type SignedDeal = Pick<Progress, 'delivery' | 'dealerSteps' | 'dealerName'>

/**
 * Says where a deal stands that both have signed: only an accepted delivery is with the dealer
 * (R-deals-81), which may have asked for a document.
 */
export const signedDealText = ({ delivery, dealerSteps, dealerName }: SignedDeal): string =>
  dealerSteps.at(-1)?.step === 'needsDocument'
    ? dealersTexts.turns.needsDocument(dealerName)
    : dealersTexts.handOver[delivery ?? 'WAITING'](dealerName)
