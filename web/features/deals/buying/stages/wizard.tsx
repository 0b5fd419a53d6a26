import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import {
  type BuyerStage,
  buyerPercent,
  buyerPhase,
  buyerStage,
  buyerStages,
  isTitleReceived,
} from '@keyturn/contract/deals/stages.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { Stack } from '@mantine/core'
import { type FC, useState } from 'react'
import { useDraftNames } from '../../../../auth/use-draft.ts'
import { DealHeader } from '../../../../components/display/deal-header.tsx'
import { PhotoStrip } from '../../../../components/display/photo-strip.tsx'
import { StatusBadge } from '../../../../components/display/status-badge.tsx'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { Card, Folds } from '../../../../components/layout/card.tsx'
import { hasDetails, loanNote, SellerDescription } from '../../../cars/car-card.tsx'
import { MessagesButton } from '../../../messages/messages-button.tsx'
import { DealTimeline } from '../../deal-timeline.tsx'
import { HoldCountdown } from '../../hold-countdown.tsx'
import { PausedNotice } from '../../paused-notice.tsx'
import { priceNote } from '../../price-note.ts'
import { StageStepper } from '../../stage-stepper.tsx'
import { useScrollToTopOnChange } from '../../use-scroll-to-top-on-change.ts'
import { Viewers } from '../../viewers.tsx'
import { priceDraft } from '../buyer-request-dialogs.tsx'
import { ProposalNotice } from '../proposal-notice.tsx'
import { PurchasePage } from '../purchase-page.tsx'
import { FinalStage } from './final-stage.tsx'
import { FinancingInfo } from './financing-info.tsx'
import { FinancingQuestion } from './financing-question.tsx'
import { type RequestDialog, RequestDialogs } from './request-actions.tsx'
import { RequestForm } from './request-form.tsx'
import { SigningStage } from './signing-stage.tsx'
import type { StageProps } from './stage-props.ts'
import { TradeDetails } from './trade-details.tsx'
import { TradeQuestion } from './trade-question.tsx'
import { TradeSelection } from './trade-selection.tsx'
import { StageDraftsContext } from './use-stage-draft.ts'
import { useStageMoves } from './use-stage-moves.ts'
import classes from './wizard.module.css'

const stages: Record<BuyerStage, FC<StageProps>> = {
  0: TradeQuestion,
  1: TradeSelection,
  2: TradeDetails,
  3: FinancingQuestion,
  4: FinancingInfo,
  5: RequestForm,
  6: SigningStage,
  7: FinalStage,
}

type WizardProps = {
  progress: Progress
  /** When `progress` was read, according to this device's clock. */
  readAt: number
}

/** Shows the stage that the server's progress names: one of seven, or the final screen. */
export function Wizard({ progress, readAt }: WizardProps) {
  const stage = buyerStage(progress)
  const moves = useStageMoves(progress)
  const hasPriceDraft = useDraftNames().includes(priceDraft(progress.vin))
  const [asking, setAsking] = useState<RequestDialog | null>(hasPriceDraft ? 'price' : null)
  const [typed] = useState(() => new Map<string, unknown>())
  useScrollToTopOnChange(stage)
  const Stage = stages[stage]
  // A question on a paused deal would lead to an error.
  const isStopped = progress.isPaused && stage < 6
  const { carDetails } = progress
  const more = (
    <>
      {stage >= 6 && carDetails.photos.length > 0 && (
        <Card title={carTexts.photos.title}>
          <PhotoStrip photos={carDetails.photos} name={carName(carDetails)} />
        </Card>
      )}
      {hasDetails(carDetails) && (
        <Card title={carTexts.public.fromSeller}>
          <SellerDescription car={carDetails} />
        </Card>
      )}
      {progress.status && <DealTimeline userId={progress.sellerId} vin={progress.vin} />}
    </>
  )
  return (
    <PurchasePage
      width={progress.passedAt ? 'list' : 'wizard'}
      documentTitle={`${stage === 7 ? finalStageName(progress) : names[stage]} · ${carName({ ...carDetails, trim: '' })}`}
      lead={<Viewers userId={progress.sellerId} vin={progress.vin} />}
    >
      <DealHeader
        title={carName(carDetails)}
        vin={progress.vin}
        car={carDetails}
        remark={isTitleReceived(progress) ? undefined : loanNote(carDetails)}
        price={progress.price ?? progress.askingPrice}
        unsetPrice={carTexts.toBeAgreed}
        priceNote={priceNote(progress)}
        status={progress.status && stage < 7 && <StatusBadge status={progress.status} />}
        action={
          progress.status && (
            <MessagesButton dealId={progress._id} vin={progress.vin} other={progress.seller} />
          )
        }
      />
      <StageStepper
        label={wizardTexts.rail}
        percent={buyerPercent[stage]}
        end={finalStageName(progress)}
        {...stepperState(progress, stage)}
      />
      <Stack gap="lg">
        {moves.notice && <Notice kind="info">{moves.notice}</Notice>}
        <StatusNotices progress={progress} stage={stage} readAt={readAt} />
        <div className={classes.stage} aria-busy={moves.isFollowing || undefined}>
          <StageDraftsContext value={typed}>
            {!isStopped && (
              <Stage key={stage} progress={progress} readAt={readAt} moves={moves} onAsk={setAsking}>
                {more}
              </Stage>
            )}
          </StageDraftsContext>
        </div>
        {stage < 6 && (
          <>
            <PhotoStrip photos={carDetails.photos} name={carName(carDetails)} />
            <Folds>{more}</Folds>
          </>
        )}
      </Stack>
      <RequestDialogs progress={progress} open={asking} onClose={() => setAsking(null)} />
    </PurchasePage>
  )
}

function StatusNotices({
  progress,
  stage,
  readAt,
}: {
  progress: Progress
  stage: BuyerStage
  readAt: number
}) {
  return (
    <>
      <PausedNotice deal={progress} />
      {!progress.isPaused && <ProposalNotice progress={progress} />}
      {progress.taken && <Notice kind="waiting">{buyingTexts.taken}</Notice>}
      {progress.status === 'REJECTED' && stage < 6 && (
        <Notice kind="waiting" title={dealTexts.home.rejectedText}>
          {progress.message || dealTexts.home.noMessage}
        </Notice>
      )}
      {stage < 6 && (
        <HoldCountdown deal={progress} readAt={readAt} label={wizardTexts.held} over={wizardTexts.holdOver} />
      )}
    </>
  )
}

const names = buyingTexts.stages

/** Returns the name of the final screen. */
const finalStageName = ({ completed }: Progress): string => (completed ? names[7] : termSheetTexts.signed)

/**
 * Includes all seven steps, because the percentages count them (R-deals-60). Skipped ones are not
 * marked as done.
 */
function stepperState({ hasTrade, tradeVins, needsFinancing }: Progress, stage: BuyerStage) {
  const isSkipped: Partial<Record<BuyerStage, boolean>> = {
    1: hasTrade === false,
    2: hasTrade === false || (stage > 2 && tradeVins.length > 0),
    4: needsFinancing === false,
  }
  const skipped = buyerStages.filter((step) => isSkipped[step])
  const phases = {
    names: wizardTexts.phases,
    current: buyerPhase[stage],
    skipped: [...(hasTrade === false ? [0] : []), ...(needsFinancing === false ? [1] : [])],
  }
  return { steps: names.slice(0, 7), current: stage, skipped, phases }
}
