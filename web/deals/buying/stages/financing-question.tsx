import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { ApprovalPending } from './approval-pending.tsx'
import type { StageProps } from './stage-props.ts'
import { TradeMissing } from './trade-missing.tsx'
import { YesNoQuestion } from './yes-no-question.tsx'

/** Stage 3. While a trade waits for approval, nothing else is asked (R-deals-12). */
export function FinancingQuestion({ progress, moves }: StageProps) {
  if (progress.pendingTradeInApproval) return <ApprovalPending progress={progress} moves={moves} />
  return (
    <YesNoQuestion
      title={texts.financingQuestion}
      lead={texts.financingQuestionHint}
      yes={texts.financingYes}
      no={texts.financingNo}
      given={progress.needsFinancing}
      moves={moves}
      onAnswer={(needsFinancing) => moves.go(needsFinancing ? 4 : 5, { needsFinancing })}
    >
      {isTradeMissing(progress) && (
        <TradeMissing moves={moves} stage={3}>
          {wizardTexts.trade.noneChosen}
        </TradeMissing>
      )}
    </YesNoQuestion>
  )
}

/** The buyer wants a trade but has none chosen or pending: it was rejected, deleted or accepted. */
export const isTradeMissing = ({ hasTrade, tradeVins }: StageProps['progress']): boolean =>
  hasTrade === true && tradeVins.length === 0
