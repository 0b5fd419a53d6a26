import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { firstNameOf } from '@keyturn/contract/messages/rules.ts'
import { Group } from '@mantine/core'
import { NextStepCard } from '../../../../components/display/next-step-card.tsx'
import { Folds } from '../../../../components/layout/card.tsx'
import { HomeButton } from '../../../../components/navigation/link.tsx'
import { CurrentDealerCard } from '../../../agreements/current-dealer-card.tsx'
import { CallButton, NextSaleStep } from '../../../agreements/signed/next-sale-step.tsx'
import { SignedDeal } from '../../../agreements/signed/signed-deal.tsx'
import { TermSheet } from '../../../agreements/term-sheet.tsx'
import { PushPrompt } from '../../../notifications/push/push-prompt.tsx'
import { dealTurn } from '../../deal-turn.ts'
import { HoldCountdown } from '../../hold-countdown.tsx'
import { requestStates } from '../request-states.ts'
import { RequestActions } from './request-actions.tsx'
import { SellerCard } from './seller-card.tsx'
import type { StageProps } from './stage-props.ts'

/** Stage 7. The required heading appears only once the sale is complete (R-deals-42). */
export function FinalStage(props: StageProps) {
  const { progress, children } = props
  if (progress.passedAt === null) return <WaitingForSeller {...props} />
  return (
    <SignedDeal
      progress={progress}
      side="BUYER"
      nextStep={
        <NextStepCard
          turn={dealTurn(progress, 'BUYER')}
          title={titleOf(progress)}
          takesFocus
          actions={progress.completed && <HomeButton side="buying">{texts.toHome}</HomeButton>}
        >
          {progress.completed && (
            <>
              <p>{texts.completeHint}</p>
              <p role="status">{statusOf(progress)}</p>
            </>
          )}
          <NextSaleStep progress={progress} side="BUYER" />
        </NextStepCard>
      }
    >
      <SellerCard seller={progress.seller} />
      {children}
    </SignedDeal>
  )
}

function WaitingForSeller({ progress, readAt, onAsk, children }: StageProps) {
  const { seller, taken } = progress
  return (
    <>
      <NextStepCard
        turn={dealTurn(progress, 'BUYER')}
        title={titleOf(progress)}
        takesFocus
        actions={
          <Group gap="sm">
            {seller.phoneNumber && <CallButton name={firstNameOf(seller)} number={seller.phoneNumber} />}
            <HomeButton side="buying" variant="subtle">
              {texts.toHome}
            </HomeButton>
          </Group>
        }
      >
        <p role="status">{statusOf(progress)}</p>
        {taken && <p>{termsTexts.promised.signed}</p>}
        <HoldCountdown deal={progress} readAt={readAt} label={wizardTexts.held} over={wizardTexts.holdOver} />
        {!taken && <PushPrompt when="sellerAnswers" />}
      </NextStepCard>
      <TermSheet progress={progress} side="BUYER" />
      <RequestActions progress={progress} onAsk={onAsk} />
      <Folds>
        <CurrentDealerCard progress={progress} />
        <SellerCard seller={seller} />
        {children}
      </Folds>
    </>
  )
}

function titleOf({ completed, passedAt, dealerName }: Progress): string {
  if (completed) return texts.completeTitle
  return passedAt === null ? termSheetTexts.youSigned : texts.signedByBoth(dealerName)
}

function statusOf(progress: Progress): string {
  const { status, seller, taken } = progress
  if (taken) return termsTexts.promised.title
  return requestStates[status ?? 'STARTED'].signed(fullName(seller))
}
