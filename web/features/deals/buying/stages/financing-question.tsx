import { carName } from '@keyturn/contract/cars/rules.ts'
import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMyId } from '../../../../auth/session.tsx'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { LinkButton } from '../../../../components/navigation/link.tsx'
import { PushPrompt } from '../../../notifications/push/push-prompt.tsx'
import { tradesOfUserQuery } from '../../../trades/queries.ts'
import { ContinueWithoutTrade } from './continue-without-trade.tsx'
import { QuestionLayout } from './question-layout.tsx'
import type { StageProps } from './stage-props.ts'
import { TradeMissingNotice } from './trade-missing-notice.tsx'
import { OfferNotices } from './unavailable-trades.tsx'
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
  // The car being bought is no trade for itself (R-trades-32).
  const isOffered = ({ status, vin }: Trade) => status === 'OFFERED' && vin !== progress.vin
  const counters = (trades.data ?? []).filter(({ status, vin }) => status === 'OFFER' && vin !== progress.vin)
  const hasOffer = trades.data?.some(isOffered) === true
  return (
    <QuestionLayout title={texts.approvalPending} moves={moves} isHeld>
      {!hasOffer && (
        <>
          <Notice kind="waiting">
            {[...counters.map(counterSentence), tradeTexts.pendingHint].join(' ')}
          </Notice>
          <PushPrompt when="offerComes" />
        </>
      )}
      <OfferNotices trades={trades.data} shown={isOffered} />
      <Group gap="sm">
        <LinkButton
          to="/trade"
          search={{ userId: progress.sellerId, vin: progress.vin }}
          variant={hasOffer ? 'default' : 'filled'}
        >
          {texts.viewTrades}
        </LinkButton>
        <ContinueWithoutTrade moves={moves} />
      </Group>
    </QuestionLayout>
  )
}

const counterSentence = (trade: Trade): string =>
  tradeTexts.counterWaits(carName(trade), formatUsd(trade.price ?? cents(0)))
