import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { decideRequest, deleteCar, updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import { type BuyerStage, nextStepToward, stagesUpTo } from '@keyturn/contract/deals/stages.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { useMyId } from '../../../auth/session.tsx'
import { useDraft } from '../../../auth/use-draft.ts'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { WholeDollarField } from '../../../components/fields/whole-number-field.tsx'
import { FactTable } from '../../../components/lists/fact-table.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import type { CarTerms } from '../car-term-facts.ts'
import { progressQuery } from '../queries.ts'
import { parsePrice, syncPriceField, usePriceForm } from '../use-price-form.ts'
import { progressFacts } from './progress-facts.ts'
import { findRequestChanges } from './request-changes.ts'

const texts = dealTexts.home
const refresh = [['deals'], ['cars']]
const news = { changed: texts.news.changed, goOn: texts.news.goOn }

type RequestedCar = CarTerms &
  Pick<Car, 'trim' | 'sellerId' | 'vin' | 'price' | 'status' | 'message' | 'requestVersion'> & {
    buyerSigned: boolean
  }
/** `car` is the request as it is now; undefined once it is gone. */
type RequestDialogProps = { car: RequestedCar | undefined; onClose: () => void }
type RejectedDialogProps = RequestDialogProps & { onEdit: () => void; onDelete: () => void }

/** Shows the seller's denial, and lets the buyer offer another price or delete the request. */
export function RejectedDialog({ car, onEdit, onDelete, onClose }: RejectedDialogProps) {
  const isOpen = car?.status === 'REJECTED'
  return (
    <Dialog
      title={texts.rejectedTitle}
      onClose={onClose}
      actions={
        isOpen ? (
          <>
            <Button variant="default" onClick={onDelete}>
              {texts.deleteRequest}
            </Button>
            <Button onClick={onEdit}>{texts.editPrice}</Button>
          </>
        ) : (
          <Button onClick={onClose}>{texts.close}</Button>
        )
      }
    >
      {isOpen ? (
        <DenialFacts car={car} />
      ) : car ? (
        <ErrorNotice>{texts.news.changed}</ErrorNotice>
      ) : (
        <RequestGone />
      )}
    </Dialog>
  )
}

function DenialFacts({ car }: { car: RequestedCar }) {
  return (
    <>
      <Text>{texts.rejectedText}</Text>
      <FactTable
        facts={[
          { term: texts.columns.car, value: carName(car) },
          { term: texts.newPrice, value: car.price === null ? null : formatUsd(car.price) },
          { term: texts.sellersMessage, value: car.message || texts.noMessage },
        ]}
      />
    </>
  )
}

export const priceDraft = (vin: string) => `price of ${vin}`

/** Another price brings the request back to PENDING (R-deals-18). */
export function EditPriceDialog({ car, onClose }: RequestDialogProps) {
  const editing = useEndpointMutation(decideRequest, { refresh, success: texts.priceSaved, onDone: onClose })
  const decision = useDecision({ by: editing, current: car, newsOf: findRequestChanges })
  const { read, isStale } = decision
  const mayEdit = editing.mayBeDone || (car !== undefined && mayMove(car, 'BUYER', 'reprice'))
  const form = usePriceForm(read?.price ?? null)
  useDraft(form, priceDraft(car?.vin ?? ''))
  const { submit, trouble, clearError } = useFormMutation(form, async (values) => {
    if (!mayEdit) return
    await decision.act(({ sellerId: userId, vin, requestVersion }) => ({
      body: {
        userId,
        vin,
        status: 'PENDING',
        price: parsePrice(values),
        version: requestVersion ?? undefined,
      },
    }))
  })
  const adoptChanges = () => {
    syncPriceField(form, read?.price ?? null, car?.price ?? null)
    clearError()
  }
  if (!read) return null
  return (
    <Dialog
      title={texts.editPrice}
      focusInside
      size="sm"
      onClose={onClose}
      onSubmit={submit}
      busy={editing.isWorking}
      trouble={
        <DecisionChanges
          decision={decision}
          over={!mayEdit && (car && isReserved(car.status) ? buyingTexts.alreadyConfirmed : <RequestGone />)}
          {...news}
          onGoOn={adoptChanges}
          error={trouble}
        />
      }
      actions={
        trouble?.code === 'TradeUnavailable' ? (
          <TradeConflictActions car={read} onClose={onClose} />
        ) : mayEdit ? (
          <FormActions onCancel={onClose} busy={editing.isWorking} working={texts.saving} disabled={isStale}>
            {texts.savePrice}
          </FormActions>
        ) : (
          <ClosedRequestActions car={car} onClose={onClose} />
        )
      }
    >
      <Text>{carName(read)}</Text>
      <WholeDollarField
        label={texts.newPrice}
        description={texts.priceHint}
        data-autofocus
        {...form.getInputProps('newPrice')}
      />
      {mayEdit && car?.buyerSigned && <Notice kind="waiting">{termsTexts.falls.own}</Notice>}
    </Dialog>
  )
}

export function WithdrawDialog({ car, onClose }: RequestDialogProps) {
  const userId = useMyId()
  const withdrawing = useEndpointMutation(deleteCar, {
    refresh,
    success: texts.requestDeleted,
    onDone: onClose,
  })
  const decision = useDecision({ by: withdrawing, current: car, newsOf: findRequestChanges })
  const { read, isStale, isGone } = decision
  if (!read) return null
  return (
    <ConfirmDialog
      title={texts.deleteRequestTitle}
      confirm={texts.delete}
      cancel={texts.cancel}
      danger
      disabled={isStale}
      isOver={isGone}
      trouble={<DecisionChanges decision={decision} over={isGone && <RequestGone />} {...news} />}
      onConfirm={() =>
        decision.attempt(({ vin, requestVersion }) => ({
          params: { userType: 'BUYER', userId, vin },
          query: { version: requestVersion ?? undefined },
        }))
      }
      onClose={onClose}
    >
      <Text>{texts.deleteRequestQuestion(carName(read), read.status !== null)}</Text>
      {car?.buyerSigned && <Notice kind="waiting">{termsTexts.falls.ownEnds}</Notice>}
    </ConfirmDialog>
  )
}

const RequestGone = () => <ErrorNotice title={wizardTexts.goneTitle}>{wizardTexts.goneText}</ErrorNotice>

/** Closes a dialog whose request can no longer change, with a link to a confirmed deal. */
function ClosedRequestActions({ car, onClose }: RequestDialogProps) {
  if (!car || !isReserved(car.status)) return <Button onClick={onClose}>{texts.close}</Button>
  return (
    <>
      <Button variant="default" onClick={onClose}>
        {texts.close}
      </Button>
      <LinkButton to="/buyer" search={{ userId: car.sellerId, vin: car.vin }} onClick={onClose}>
        {texts.viewDeal}
      </LinkButton>
    </>
  )
}

type TradeConflictActionsProps = { car: { sellerId: string; vin: string }; onClose: () => void }

/**
 * Leads to the stage where a trade that is part of another request can be replaced or removed
 * (R-trades-13).
 */
function TradeConflictActions({ car: { sellerId: userId, vin }, onClose }: TradeConflictActionsProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useEndpointMutation(updateProgress, { refresh: [['deals'], ['trades']] })
  const moveToStage = async (target: BuyerStage, answers: object) => {
    let progress = await client.fetchQuery(progressQuery(userId, vin))
    for (
      let next = nextStepToward(progressFacts(progress), target);
      next;
      next = nextStepToward(progressFacts(progress), target)
    ) {
      const data = { userType: 'BUYER' as const, step: stagesUpTo(next.to), goBack: next.isBack, ...answers }
      progress = await save.act({ body: { userId, vin, version: progress.version, data } })
    }
  }
  // The purchase page explains why a stage could not be reached.
  const goTo = (target: BuyerStage, answers = {}) =>
    moveToStage(target, answers)
      .catch(() => {})
      .then(() => navigate({ to: '/buyer', search: { userId, vin } }))
      .then(onClose)
  return (
    <>
      <WorkButton variant="default" onClick={() => goTo(5, { hasTrade: false, tradeVins: [] })}>
        {buyingTexts.withoutTrade}
      </WorkButton>
      <WorkButton onClick={() => goTo(1)}>{wizardTexts.trade.choose}</WorkButton>
    </>
  )
}
