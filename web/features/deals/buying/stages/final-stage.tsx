import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { firstNameOf } from '@keyturn/contract/messages/rules.ts'
import { Group } from '@mantine/core'
import { NextStepCard } from '../../../../components/display/next-step-card.tsx'
import { HomeButton } from '../../../../components/navigation/link.tsx'
import { AmountDue } from '../../../agreements/amount-due.tsx'
import { CallButton, NextSaleStep } from '../../../agreements/signed/next-sale-step.tsx'
import { SignedDeal } from '../../../agreements/signed/signed-deal.tsx'
import { PushPrompt } from '../../../notifications/push/push-prompt.tsx'
import { dealTurn } from '../../deal-turn.ts'
import { HoldCountdown } from '../../hold-countdown.tsx'
import { requestStates } from '../request-states.ts'
import { RequestActions } from './request-actions.tsx'
import { SellerCard } from './seller-card.tsx'
import type { StageProps } from './stage-props.ts'

/** Stage 7. The required heading appears only once the sale is complete (R-deals-42). */
export function FinalStage({ progress, readAt, onAsk, children }: StageProps) {
  return (
    <SignedDeal
      progress={progress}
      side="BUYER"
      nextStep={
        <NextStepCard
          turn={dealTurn(progress, 'BUYER')}
          title={titleOf(progress)}
          takesFocus
          actions={
            progress.passedAt === null ? (
              <WaitingActions progress={progress} />
            ) : (
              progress.completed && (
                <HomeButton side="buying" variant="default">
                  {texts.toHome}
                </HomeButton>
              )
            )
          }
        >
          {progress.passedAt === null ? (
            <WaitingDetails progress={progress} readAt={readAt} />
          ) : (
            <SignedDetails progress={progress} />
          )}
        </NextStepCard>
      }
      actions={<RequestActions progress={progress} onAsk={onAsk} />}
    >
      <SellerCard seller={progress.seller} />
      {children}
    </SignedDeal>
  )
}

function SignedDetails({ progress }: Pick<StageProps, 'progress'>) {
  if (progress.completed)
    return (
      <>
        <p>{texts.completeHint}</p>
        <p>{statusOf(progress)}</p>
      </>
    )
  const { leftToPay: left, trades } = progress.terms ?? {}
  return (
    <>
      {left !== undefined && <AmountDue left={left} trades={trades} />}
      <NextSaleStep progress={progress} side="BUYER" />
    </>
  )
}

function WaitingDetails({ progress, readAt }: Pick<StageProps, 'progress' | 'readAt'>) {
  return (
    <>
      <p>{statusOf(progress)}</p>
      {progress.taken && <p>{termsTexts.promised.signed}</p>}
      <HoldCountdown deal={progress} readAt={readAt} label={wizardTexts.held} over={wizardTexts.holdOver} />
      {!progress.taken && <PushPrompt when="sellerAnswers" />}
    </>
  )
}

const WaitingActions = ({ progress: { seller, taken } }: Pick<StageProps, 'progress'>) => (
  <Group gap="sm">
    {!taken && seller.phoneNumber && <CallButton name={firstNameOf(seller)} number={seller.phoneNumber} />}
    <HomeButton side="buying" variant="subtle">
      {texts.toHome}
    </HomeButton>
  </Group>
)

function titleOf({ completed, passedAt, dealerName }: Progress): string {
  if (completed) return texts.completeTitle
  return passedAt === null ? termSheetTexts.youSigned : texts.signedByBoth(dealerName)
}

function statusOf(progress: Progress): string {
  const { status, seller, taken } = progress
  if (taken) return termsTexts.promised.title
  return requestStates[status ?? 'STARTED'].signed(fullName(seller))
}
