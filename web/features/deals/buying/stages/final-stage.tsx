import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { Stack } from '@mantine/core'
import { Outcome } from '../../../../components/feedback/outcome.tsx'
import { HomeButton } from '../../../../components/navigation/link.tsx'
import { CurrentDealerCard } from '../../../agreements/current-dealer-card.tsx'
import { DealerUpdates } from '../../../agreements/dealer-updates.tsx'
import { deliveryText } from '../../../agreements/delivery-text.ts'
import { NextSteps } from '../../../agreements/next-steps.tsx'
import { PaperworkCard } from '../../../agreements/paperwork-card.tsx'
import { TermSheet } from '../../../agreements/term-sheet.tsx'
import { PushPrompt } from '../../../notifications/push/push-prompt.tsx'
import { requestStates } from '../request-states.ts'
import { RequestActions } from './request-actions.tsx'
import { SellerCard } from './seller-card.tsx'
import type { StageProps } from './stage-props.ts'

/** Stage 7. The required heading appears only once the sale is complete (R-deals-42). */
export function FinalStage({ progress, onAsk }: StageProps) {
  const isPassed = progress.passedAt !== null
  return (
    <Stack gap="lg">
      <Outcome
        kind={isPassed ? 'good' : 'waiting'}
        title={titleOf(progress)}
        action={<HomeButton side="buying">{texts.toHome}</HomeButton>}
      >
        {progress.completed && <p>{texts.completeHint}</p>}
        <p role="status">
          <strong>{statusOf(progress)}</strong>
        </p>
        {!isPassed && progress.taken && <p>{termsTexts.promised.signed}</p>}
      </Outcome>
      {!isPassed && !progress.taken && <PushPrompt when="sellerAnswers" />}
      <DealerUpdates progress={progress} side="BUYER" />
      {isPassed && !progress.completed && <NextSteps progress={progress} side="BUYER" />}
      <CurrentDealerCard progress={progress} />
      {!progress.completed && <PaperworkCard progress={progress} side="BUYER" />}
      <TermSheet progress={progress} side="BUYER" />
      <RequestActions progress={progress} onAsk={onAsk} />
      <SellerCard seller={progress.seller} />
    </Stack>
  )
}

function titleOf({ completed, passedAt, dealerName }: Progress): string {
  if (completed) return texts.completeTitle
  return passedAt === null ? termSheetTexts.youSigned : texts.signedByBoth(dealerName)
}

function statusOf(progress: Progress): string {
  const { completed, passedAt, status, seller, taken } = progress
  if (passedAt !== null && !completed) return deliveryText(progress)
  if (taken) return termsTexts.promised.title
  return requestStates[status ?? 'STARTED'].signed(fullName(seller))
}
