import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { decideBuyer, deleteCar, updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import { type BuyerStage, stepToward, upTo } from '@keyturn/contract/deals/stages.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DecisionNews } from '../../../api/mutations/decision-news.tsx'
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
import { MoneyField } from '../../../components/fields/whole-number-field.tsx'
import { FactTable } from '../../../components/lists/fact-table.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import { priceOf, takeOverPrice, usePriceForm } from '../price-form.ts'
import { progressQuery } from '../queries.ts'
import type { CarTerms } from '../term-facts.ts'
import { newsOfRequest } from './request-news.ts'
import { factsOf } from './stages/facts.ts'

const texts = dealTexts.home
const refresh = [['deals'], ['cars']]
const news = { changed: texts.news.changed, goOn: texts.news.goOn }

type Requested = CarTerms &
  Pick<Car, 'trim' | 'sellerId' | 'vin' | 'price' | 'status' | 'message' | 'requestVersion'> & {
    buyerSigned: boolean
  }
/** The request as it is now; undefined once it is gone. */
type RequestDialogProps = { car: Requested | undefined; onClose: () => void }
type RejectedDialogProps = RequestDialogProps & { onEdit: () => void; onDelete: () => void }

/** The seller's denial, with two ways on: another price, or deleting the request. */
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
      {isOpen ? <Answer car={car} /> : car ? <ErrorNotice>{texts.news.changed}</ErrorNotice> : <Gone />}
    </Dialog>
  )
}

function Answer({ car }: { car: Requested }) {
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

/** Another price brings the request back to PENDING (R-deals-18). */
export function EditPriceDialog({ car, onClose }: RequestDialogProps) {
  const editing = useEndpointMutation(decideBuyer, { refresh, success: texts.priceSaved, onDone: onClose })
  const decision = useDecision({ by: editing, current: car, newsOf: newsOfRequest })
  const { read, isStale } = decision
  const mayEdit = editing.mayBeDone || (car !== undefined && mayMove(car, 'BUYER', 'reprice'))
  const form = usePriceForm(read?.price ?? null)
  useDraft(form, `price of ${car?.vin}`)
  const { submit, trouble, clearError } = useFormMutation(form, async (values) => {
    if (!mayEdit) return
    await decision.act(({ sellerId: userId, vin, requestVersion }) => ({
      body: { userId, vin, status: 'PENDING', price: priceOf(values), version: requestVersion ?? undefined },
    }))
  })
  const takeOver = () => {
    takeOverPrice(form, read?.price ?? null, car?.price ?? null)
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
        <DecisionNews
          decision={decision}
          over={!mayEdit && (car && isReserved(car.status) ? buyingTexts.alreadyConfirmed : <Gone />)}
          {...news}
          onGoOn={takeOver}
          error={trouble}
        />
      }
      actions={
        trouble?.code === 'TradeUnavailable' ? (
          <TradeWays car={read} onClose={onClose} />
        ) : mayEdit ? (
          <FormActions onCancel={onClose} busy={editing.isWorking} working={texts.saving} disabled={isStale}>
            {texts.savePrice}
          </FormActions>
        ) : (
          <WaysOn car={car} onClose={onClose} />
        )
      }
    >
      <Text>{carName(read)}</Text>
      <MoneyField
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
  const decision = useDecision({ by: withdrawing, current: car, newsOf: newsOfRequest })
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
      trouble={<DecisionNews decision={decision} over={isGone && <Gone />} {...news} />}
      onConfirm={() =>
        decision.attempt(({ vin, requestVersion }) => ({
          params: { userType: 'BUYER', userId, vin },
          query: { version: requestVersion ?? undefined },
        }))
      }
      onClose={onClose}
    >
      <Text>{texts.deleteRequestQuestion(carName(read))}</Text>
      {car?.buyerSigned && <Notice kind="waiting">{termsTexts.falls.ownEnds}</Notice>}
    </ConfirmDialog>
  )
}

const Gone = () => <ErrorNotice title={wizardTexts.goneTitle}>{wizardTexts.goneText}</ErrorNotice>

/** A confirmed request leads to the deal; for one that is gone there is only the close button. */
function WaysOn({ car, onClose }: RequestDialogProps) {
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

type TradeWaysProps = { car: { sellerId: string; vin: string }; onClose: () => void }

/**
 * For a request whose trade is now in another one: the stages of its purchase where that can be
 * changed (R-trades-13).
 */
function TradeWays({ car: { sellerId: userId, vin }, onClose }: TradeWaysProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useEndpointMutation(updateProgress, { refresh: [['deals'], ['trades']] })
  const walkTo = async (target: BuyerStage, answers: object) => {
    let seen = await client.fetchQuery(progressQuery(userId, vin))
    for (let next = stepToward(factsOf(seen), target); next; next = stepToward(factsOf(seen), target)) {
      const data = { userType: 'BUYER' as const, step: upTo(next.to), goBack: next.isBack, ...answers }
      seen = await save.act({ body: { userId, vin, version: seen.version, data } })
    }
  }
  // The purchase reports stages that it cannot reach.
  const goTo = (target: BuyerStage, answers = {}) =>
    walkTo(target, answers)
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
