import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { firstNameOf } from '@keyturn/contract/messages/rules.ts'
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isAdministratorQuery } from '../../../auth/is-administrator-query.ts'
import { NextStepCard } from '../../../components/display/next-step-card.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { Card, Folds } from '../../../components/layout/card.tsx'
import { HomeButton, TextLink } from '../../../components/navigation/link.tsx'
import { CurrentDealerCard } from '../../agreements/current-dealer-card.tsx'
import { CallButton, NextSaleStep } from '../../agreements/signed/next-sale-step.tsx'
import { SignedDeal } from '../../agreements/signed/signed-deal.tsx'
import { TermSheet } from '../../agreements/term-sheet.tsx'
import { useAgreementDialog } from '../../agreements/use-agreement-dialog.tsx'
import { PushPrompt } from '../../notifications/push/push-prompt.tsx'
import { BottomBar } from '../bottom-bar.tsx'
import { dealTurn } from '../deal-turn.ts'
import { HoldCountdown } from '../hold-countdown.tsx'
import { ReleaseDialog } from './turn-down-dialog.tsx'

type DealProps = { deal: Progress }
export type SellerStageProps = DealProps & {
  /** When `deal` was read, according to this device's clock. */
  readAt: number
  /** Cards below the stage, which are folded. */
  children?: ReactNode
}

/** The buyer can be released until the seller has signed (R-deals-24). */
export function TermSheetStage({ deal, children }: SellerStageProps) {
  const [isReleasing, setReleasing] = useState(false)
  const agreement = useAgreementDialog(deal, 'SELLER')
  return (
    <>
      <NextStepCard
        turn={dealTurn(deal, 'SELLER')}
        actions={
          !agreement.isSigned && (
            <BottomBar
              secondary={
                mayMove(deal, 'SELLER', 'release') && (
                  <Button variant="default" onClick={() => setReleasing(true)}>
                    {texts.release}
                  </Button>
                )
              }
              primary={
                !deal.isPaused && (
                  <Button disabled={!agreement.maySign} onClick={agreement.open}>
                    {termSheetTexts.signAgreement}
                  </Button>
                )
              }
            />
          )
        }
      />
      <TermSheet progress={deal} side="SELLER" agreement={agreement} />
      <Folds>
        <CurrentDealerCard progress={deal} />
        {children}
      </Folds>
      {agreement.dialog}
      {isReleasing && <ReleaseDialog deal={deal} onClose={() => setReleasing(false)} />}
    </>
  )
}

/**
 * From the seller's signature to the end of the sale. Until both have signed, the required heading
 * appears as the next step (R-deals-42).
 */
export const SignedStage = ({ deal, readAt, children }: SellerStageProps) => (
  <SignedDeal
    progress={deal}
    side="SELLER"
    nextStep={
      <>
        <NextStepCard
          turn={dealTurn(deal, 'SELLER')}
          title={titleOf(deal)}
          takesFocus
          actions={deal.passedAt ? <EndActions deal={deal} /> : <CallBuyer buyer={deal.buyer} />}
        >
          {deal.passedAt ? (
            <NextSaleStep progress={deal} side="SELLER" />
          ) : (
            <WaitingDetails deal={deal} readAt={readAt} />
          )}
        </NextStepCard>
        {!deal.passedAt && (
          <Card
            title={texts.passedTitle(deal.dealerName)}
            action={<StatusBadge status="PENDING" label={texts.notYet} />}
          />
        )}
      </>
    }
  >
    {children}
  </SignedDeal>
)

function titleOf({ passedAt, completed, buyer, dealerName }: Progress): string {
  if (completed) return texts.completeTitle
  return passedAt ? texts.passedTitle(dealerName) : texts.waitingForBuyer(fullName(buyer))
}

const WaitingDetails = ({ deal, readAt }: Omit<SellerStageProps, 'children'>) => (
  <>
    <p>{texts.waitingHint(deal.dealerName)}</p>
    <HoldCountdown deal={deal} readAt={readAt} label={texts.heldUntil} over={texts.timeIsUp} />
    <PushPrompt when="buyerSigns" />
  </>
)

const CallBuyer = ({ buyer }: Pick<Progress, 'buyer'>) =>
  buyer.phoneNumber && (
    <div>
      <CallButton name={firstNameOf(buyer)} number={buyer.phoneNumber} />
    </div>
  )

const EndActions = ({ deal }: DealProps) => (
  <Group gap="sm">
    {deal.completed && (
      <HomeButton side="selling" variant="default">
        {texts.toDashboard}
      </HomeButton>
    )}
    <PackageLink deal={deal} />
  </Group>
)

/** For development: shown only if an administrator is signed in as well (R-deals-44). */
function PackageLink({ deal: { pkgId } }: DealProps) {
  const isAdministrator = useQuery(isAdministratorQuery).data === true
  if (!isAdministrator || !pkgId) return null
  return (
    <TextLink to="/pkg" search={{ pkgId }}>
      {texts.toPackage}
    </TextLink>
  )
}
