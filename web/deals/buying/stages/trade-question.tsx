import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import type { StageProps } from './stage-props.ts'
import { YesNoQuestion } from './yes-no-question.tsx'

/** Stage 0. */
export function TradeQuestion({ progress, moves }: StageProps) {
  return (
    <YesNoQuestion
      title={texts.tradeQuestion}
      lead={texts.tradeQuestionHint}
      yes={texts.tradeYes}
      no={texts.tradeNo}
      given={progress.hasTrade}
      moves={moves}
      onAnswer={(hasTrade) =>
        hasTrade ? moves.go(1, { hasTrade }) : moves.go(3, { hasTrade, tradeVins: [] })
      }
    />
  )
}
