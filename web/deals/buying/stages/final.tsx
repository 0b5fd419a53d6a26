import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Stack } from '@mantine/core'
import { Outcome } from '../../../ui/feedback/outcome.tsx'
import { LinkButton } from '../../../ui/frame/link.tsx'
import { TermSheet } from '../../agreement/term-sheet.tsx'
import { DealTimeline } from '../../deal-timeline.tsx'
import { RequestActions } from './request-actions.tsx'
import { SellerCard } from './seller-card.tsx'
import type { StageProps } from './stage-props.ts'

/** Stage 7. The heading is fixed; the line below it says what has actually happened (R-deals-42). */
export function Final({ progress, onAsk }: StageProps) {
  return (
    <Stack gap="lg">
      <Outcome
        kind="good"
        title={texts.completeTitle}
        action={
          <LinkButton to="/home" search={{ view: 'buying' }}>
            {texts.toHome}
          </LinkButton>
        }
      >
        <p>{texts.completeHint}</p>
        <p role="status">
          <strong>{statusOf(progress)}</strong>
        </p>
      </Outcome>
      <TermSheet progress={progress} side="BUYER" />
      <RequestActions progress={progress} onAsk={onAsk} />
      <SellerCard seller={progress.seller} />
      <DealTimeline userId={progress.sellerId} vin={progress.vin} />
    </Stack>
  )
}

function statusOf({ completed, passedAt, status, seller, dealerName }: Progress): string {
  if (completed) return texts.completed
  if (passedAt !== null) return texts.passed(dealerName)
  return status === 'ACCEPTED'
    ? texts.waitingForSeller(fullName(seller))
    : texts.waitingForSellersConfirmation(fullName(seller))
}
