import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'

type SignedDeal = Pick<Progress, 'delivery' | 'dealerSteps' | 'dealerName'>

/**
 * Says where a deal stands that both have signed: only an accepted delivery is with the dealer
 * (R-deals-81), which may have asked for a document.
 */
export const signedDealText = ({ delivery, dealerSteps, dealerName }: SignedDeal): string =>
  isDocumentRequested({ dealerSteps })
    ? dealersTexts.turns.needsDocument(dealerName)
    : dealersTexts.handOver[delivery ?? 'WAITING'](dealerName)

/** Both parties have to act while a request for a document is the dealer's last report. */
export const isDocumentRequested = ({ dealerSteps }: Pick<SignedDeal, 'dealerSteps'>): boolean =>
  dealerSteps.at(-1)?.step === 'needsDocument'
