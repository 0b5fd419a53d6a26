import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { requestCar } from '@keyturn/contract/deals/endpoints.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { leftToPay } from '@keyturn/contract/deals/terms.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { centsToDollars, formatUsd } from '@keyturn/contract/shared/money.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { hasErrorCode } from '../../../../api/errors.ts'
import { DecisionChanges } from '../../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../../api/mutations/use-form-mutation.ts'
import { useMyId } from '../../../../auth/session.tsx'
import { useDraft } from '../../../../auth/use-draft.ts'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { createValidator, formOptions } from '../../../../components/fields/form.ts'
import type { TypedNumber } from '../../../../components/fields/number-text.ts'
import { VinField } from '../../../../components/fields/vin-field.tsx'
import { WholeDollarField } from '../../../../components/fields/whole-number-field.tsx'
import { AmountDue } from '../../../agreements/amount-due.tsx'
import { typedToCents } from '../loan/loan-estimator.tsx'
import { useTradeValue } from '../loan/use-trade-value.ts'
import { findRequestChanges } from '../request-changes.ts'
import { isTradeMissing } from './financing-question.tsx'
import { QuestionLayout, SaveErrorNotice } from './question-layout.tsx'
import type { StageProps } from './stage-props.ts'
import { TradeMissingNotice } from './trade-missing-notice.tsx'
import { useStageDraft } from './use-stage-draft.ts'

const { news } = dealTexts.home
const requestTexts = wizardTexts.request

/** Stage 5: sends the request. A confirmed one can no longer be changed. */
export function RequestForm({ progress, moves }: StageProps) {
  const myId = useMyId()
  const form = useForm<Typed>({
    ...formOptions(requestCar.body, { vin: progress.vin, price: inputPriceOf(progress) }),
    validate: (typed) => faultsOf(typed, progress.vin),
  })
  useDraft(form, 'request')
  const request = useEndpointMutation(requestCar, { refresh: [['deals'], ['cars'], ['trades']] })
  useStageDraft(form, 'request', request.done !== undefined)
  const isConfirmed = isReserved(progress.status)
  const isClosed = progress.taken || !mayMove(progress, 'BUYER', 'request')
  const present = { ...progress, ...progress.carDetails }
  const decision = useDecision({
    by: request,
    current: present,
    newsOf: findRequestChanges,
    isOwn: request.mayBeDone || isClosed,
  })
  const client = useQueryClient()
  const { submit, trouble, clearError } = useFormMutation(form, ({ vin, price }) => {
    moves.expectStage(6)
    return decision
      .act(({ version }) => ({
        body: {
          vin,
          price: requestCar.body.shape.price.parse(price),
          buyerId: myId,
          sellerId: progress.sellerId,
          trades: progress.hasTrade ? progress.tradeVins : [],
          version,
        },
      }))
      .catch(async (refusal: ApiError) => {
        // The listing or the progress is gone, so the screen must refetch.
        if (hasErrorCode(refusal, requestCar, 'NotFound'))
          await client.invalidateQueries({ queryKey: ['deals'] })
        throw refusal
      })
  })
  const adoptChanges = () => {
    // An untouched field adopts the new price; a typed value stays.
    if (form.getValues().price === inputPriceOf(decision.read))
      form.setFieldValue('price', inputPriceOf(progress))
    clearError()
  }
  const needsTrade = isTradeMissing(progress) && !isConfirmed
  const isAboutTrades = trouble?.code === 'TradeUnavailable'
  const isAlreadySent = isConfirmed || isUnchanged(progress, form.values)
  const trades = useTradeValue(progress)
  const { price } = form.values
  const isAmountKnown =
    typeof price === 'number' && price > 0 && trades.isKnown && !needsTrade && !progress.taken
  const left = leftToPay(typedToCents(price), trades.terms)
  return (
    <QuestionLayout
      title={texts.requestTitle}
      lead={texts.requestLead}
      onSubmit={isAlreadySent ? () => moves.saveAndMove(6) : submit}
      primary={{
        label: isAlreadySent ? texts.toSigning : texts.submitRequest,
        working: wizardTexts.saving,
        disabled: needsTrade || decision.isStale || (progress.taken && !isAlreadySent),
      }}
      moves={moves}
      trouble={
        <DecisionChanges decision={decision} changed={news.changed} goOn={news.goOn} onGoOn={adoptChanges}>
          {isAboutTrades ? (
            // Hidden once the purchase contains no trade.
            progress.tradeVins.length > 0 && (
              <TradeMissingNotice moves={moves} stage={5}>
                {trouble.message}
              </TradeMissingNotice>
            )
          ) : (
            <SaveErrorNotice unsaved={trouble && { error: trouble, retry: () => submit() }} />
          )}
        </DecisionChanges>
      }
    >
      {needsTrade && (
        <TradeMissingNotice moves={moves} stage={5}>
          {texts.tradeNeeded}
        </TradeMissingNotice>
      )}
      {isConfirmed && <Notice kind="good">{texts.alreadyConfirmed}</Notice>}
      <Stack gap="md">
        <VinField {...form.getInputProps('vin')} label={texts.sellersVin} disabled={needsTrade || isClosed} />
        <WholeDollarField
          {...form.getInputProps('price')}
          label={texts.agreedPrice}
          description={priceHint(progress)}
          disabled={needsTrade || isClosed}
        />
        {/* Keeps its height while the price is typed, so that the button stays in place. */}
        <Stack gap="md" mih={needsTrade ? undefined : '3rem'} aria-live="polite">
          {isAmountKnown && <AmountDue left={left} trades={trades.terms} />}
        </Stack>
      </Stack>
    </QuestionLayout>
  )
}

const inputPriceOf = ({ price }: Progress) => (price ? centsToDollars(price) : '')

type Typed = { vin: string; price: TypedNumber }

/** Validates against the endpoint's schema; the VIN must also match this purchase (R-deals-16). */
function faultsOf(typed: Typed, vin: string) {
  const faults = createValidator(requestCar.body)(typed)
  return faults.vin || typed.vin === vin ? faults : { ...faults, vin: requestTexts.wrongVin(vin) }
}

/**
 * Whether the request would be the same as the one that was sent. It must not be sent again,
 * because that would only notify the seller again.
 */
const isUnchanged = (progress: Progress, typed: Typed): boolean =>
  progress.status === 'PENDING' &&
  progress.price !== null &&
  typed.price === centsToDollars(progress.price) &&
  typed.vin === progress.vin &&
  !progress.hasTrade &&
  progress.tradeVins.length === 0 &&
  progress.requestTradeVins.length === 0

const priceHint = ({ askingPrice }: Progress) =>
  `${askingPrice === null ? requestTexts.noAskingPrice : `${texts.askingPrice} ${formatUsd(askingPrice)}.`} ${requestTexts.wholeDollars}`
