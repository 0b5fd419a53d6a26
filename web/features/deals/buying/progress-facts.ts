import { isReserved } from '@keyturn/contract/deals/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { buyerStage, type ProgressFacts } from '@keyturn/contract/deals/stages.ts'

/** Extracts what the table of stages needs to know about a progress. */
export const progressFacts = (progress: Progress): ProgressFacts => ({
  activeStep: buyerStage(progress),
  hasTrade: progress.hasTrade,
  needsFinancing: progress.needsFinancing,
  chosenTrades: progress.tradeVins.length,
  pendingTradeApproval: progress.pendingTradeInApproval,
  isRequested: progress.status !== null,
  isConfirmed: isReserved(progress.status),
  buyerSigned: progress.buyerSigned,
})
