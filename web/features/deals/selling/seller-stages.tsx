import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Button, Group, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isAdministratorQuery } from '../../../auth/is-administrator-query.ts'
import { Countdown } from '../../../components/display/countdown.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { Outcome } from '../../../components/feedback/outcome.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { HomeButton, TextLink } from '../../../components/navigation/link.tsx'
import { CurrentDealerCard } from '../../agreements/current-dealer-card.tsx'
import { DealerUpdates } from '../../agreements/dealer-updates.tsx'
import { deliveryText } from '../../agreements/delivery-text.ts'
import { NextSteps } from '../../agreements/next-steps.tsx'
import { PaperworkCard } from '../../agreements/paperwork-card.tsx'
import { TermSheet } from '../../agreements/term-sheet.tsx'
import { useAgreementDialog } from '../../agreements/use-agreement-dialog.tsx'
import { PushPrompt } from '../../notifications/push/push-prompt.tsx'
import { BottomBar } from '../bottom-bar.tsx'
import { useServerOffset } from '../use-server-offset.ts'
import { ReleaseDialog } from './turn-down-dialog.tsx'

type DealProps = { deal: Progress }
export type SellerStageProps = DealProps & {
  /** When `deal` was read, according to this device's clock. */
  readAt: number
}

/** The buyer can be released until the seller has signed (R-deals-24). */
export function TermSheetStage({ deal }: DealProps) {
  const [isReleasing, setReleasing] = useState(false)
  const agreement = useAgreementDialog(deal, 'SELLER')
  return (
    <>
      <TermSheet progress={deal} side="SELLER" />
      <CurrentDealerCard progress={deal} />
      {!agreement.isSigned && (
        <BottomBar
          secondary={
            mayMove(deal, 'SELLER', 'release') && (
              <Button variant="default" onClick={() => setReleasing(true)}>
                {texts.release}
              </Button>
            )
          }
          primary={
            <Button disabled={!agreement.maySign} onClick={agreement.open}>
              {termSheetTexts.signAgreement}
            </Button>
          }
        />
      )}
      {agreement.dialog}
      {isReleasing && <ReleaseDialog deal={deal} onClose={() => setReleasing(false)} />}
    </>
  )
}

/** Until both have signed, the required heading appears as the next step (R-deals-42). */
export function PassedStage({ deal, readAt }: SellerStageProps) {
  return (
    <>
      {deal.passedAt ? (
        <Card>
          <Outcome kind="good" title={texts.passedTitle(deal.dealerName)}>
            <span role="status">{deliveryText(deal)}</span>
          </Outcome>
          <PackageLink deal={deal} />
        </Card>
      ) : (
        <WaitingForBuyer deal={deal} readAt={readAt} />
      )}
      <DealerUpdates progress={deal} side="SELLER" />
      {deal.passedAt && <NextSteps progress={deal} side="SELLER" />}
      <CurrentDealerCard progress={deal} />
      <PaperworkCard progress={deal} side="SELLER" />
      <TermSheet progress={deal} side="SELLER" />
    </>
  )
}

function WaitingForBuyer({ deal, readAt }: SellerStageProps) {
  const client = useQueryClient()
  const serverOffset = useServerOffset(deal, readAt)
  return (
    <>
      <Card>
        <Stack gap="md">
          <Outcome kind="waiting" title={texts.waitingForBuyer(fullName(deal.buyer))}>
            {texts.waitingHint(deal.dealerName)}
          </Outcome>
          {deal.exclusiveUntil && (
            <Countdown
              until={deal.exclusiveUntil}
              serverOffset={serverOffset}
              label={texts.heldUntil}
              over={texts.timeIsUp}
              onOver={() => void client.invalidateQueries({ queryKey: ['deals'] })}
            />
          )}
          <PushPrompt when="buyerSigns" />
        </Stack>
      </Card>
      <Card
        title={texts.passedTitle(deal.dealerName)}
        action={<StatusBadge status="PENDING" label={texts.notYet} />}
      />
    </>
  )
}

export function CompleteStage({ deal }: DealProps) {
  return (
    <>
      <Card>
        <Outcome
          kind="good"
          title={texts.completeTitle}
          action={<HomeButton side="selling">{texts.toDashboard}</HomeButton>}
        />
        <PackageLink deal={deal} />
      </Card>
      <DealerUpdates progress={deal} side="SELLER" />
      <NextSteps progress={deal} side="SELLER" />
      <CurrentDealerCard progress={deal} />
      <PaperworkCard progress={deal} side="SELLER" />
      <TermSheet progress={deal} side="SELLER" />
    </>
  )
}

/** For development: shown only if an administrator is signed in as well (R-deals-44). */
function PackageLink({ deal: { pkgId } }: DealProps) {
  const isAdministrator = useQuery(isAdministratorQuery).data === true
  if (!isAdministrator || !pkgId) return null
  return (
    <Group justify="center">
      <TextLink to="/pkg" search={{ pkgId }}>
        {texts.toPackage}
      </TextLink>
    </Group>
  )
}
