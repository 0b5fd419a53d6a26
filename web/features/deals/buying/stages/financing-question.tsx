import { carName } from '@keyturn/contract/cars/rules.ts'
import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMyId } from '../../../../auth/session.tsx'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { LinkButton } from '../../../../components/navigation/link.tsx'
import { PushPrompt } from '../../../notifications/push/push-prompt.tsx'
import { TradeDialog } from '../../../trades/owner/trade-dialog.tsx'
import { tradesOfUserQuery } from '../../../trades/queries.ts'
import { ContinueWithoutTrade } from './continue-without-trade.tsx'
import { QuestionLayout } from './question-layout.tsx'
import type { StageProps } from './stage-props.ts'
import { TradeMissingNotice } from './trade-missing-notice.tsx'
import { YesNoQuestion } from './yes-no-question.tsx'

const tradeTexts = wizardTexts.trade

/** Stage 3. While a trade waits for approval, no question is asked (R-deals-12). */
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
      onAnswer={(needsFinancing) => moves.saveAndMove(needsFinancing ? 4 : 5, { needsFinancing })}
    >
      {isTradeMissing(progress) && (
        <TradeMissingNotice moves={moves} stage={3}>
          {wizardTexts.trade.noneChosen}
        </TradeMissingNotice>
      )}
    </YesNoQuestion>
  )
}

/**
 * Whether the buyer wants a trade but has none chosen: it was rejected, deleted, or accepted and
 * not yet chosen.
 */
export const isTradeMissing = ({ hasTrade, tradeVins }: StageProps['progress']): boolean =>
  hasTrade === true && tradeVins.length === 0

/**
 * Stage 3 while a trade waits for approval. Accepting an offer here leads to stage 1 (R-deals-12).
 */
function ApprovalPending({ progress, moves }: Pick<StageProps, 'progress' | 'moves'>) {
  const trades = useQuery(tradesOfUserQuery(useMyId()))
  const [answering, setAnswering] = useState<Trade | null>(null)
  // The car being bought cannot be traded in for itself (R-trades-32).
  const offered = trades.data?.filter(({ status, vin }) => status === 'OFFERED' && vin !== progress.vin) ?? []
  return (
    <>
      <QuestionLayout title={texts.approvalPending} moves={moves} isHeld>
        {offered.length === 0 && (
          <>
            <Notice kind="waiting">{tradeTexts.pendingHint}</Notice>
            <PushPrompt when="offerComes" />
          </>
        )}
        {offered.map((trade) => (
          <OfferNotice key={trade._id} trade={trade} onAnswer={() => setAnswering(trade)} />
        ))}
        <Group gap="sm">
          <LinkButton
            to="/trade"
            search={{ userId: progress.sellerId, vin: progress.vin }}
            variant={offered.length > 0 ? 'default' : 'filled'}
          >
            {texts.viewTrades}
          </LinkButton>
          <ContinueWithoutTrade moves={moves} />
        </Group>
      </QuestionLayout>
      {answering && (
        <TradeDialog
          trade={answering}
          current={trades.data?.find(({ _id }) => _id === answering._id)}
          onClose={() => setAnswering(null)}
        />
      )}
    </>
  )
}

function OfferNotice({ trade, onAnswer }: { trade: Trade; onAnswer: () => void }) {
  return (
    <Stack gap="sm">
      <Notice kind="info">{tradeTexts.offered(carName(trade), formatUsd(trade.price ?? cents(0)))}</Notice>
      <Group>
        <Button onClick={onAnswer} aria-label={`${tradeTexts.answer}: ${carName(trade)}`}>
          {tradeTexts.answer}
        </Button>
      </Group>
    </Stack>
  )
}
