import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import type { StageProps } from './stage-props.ts'
import { YesNoQuestion } from './yes-no-question.tsx'

/** Stage 0. */
export function TradeQuestion({ progress, moves }: StageProps) {
  return (
    <YesNoQuestion
      title={buyingTexts.tradeQuestion}
      lead={buyingTexts.tradeQuestionHint}
      yes={buyingTexts.tradeYes}
      no={buyingTexts.tradeNo}
      given={progress.hasTrade}
      moves={moves}
      onAnswer={(hasTrade) =>
        hasTrade ? moves.saveAndMove(1, { hasTrade }) : moves.saveAndMove(3, { hasTrade, tradeVins: [] })
      }
    />
  )
}
