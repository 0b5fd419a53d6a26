import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { proposePrice } from '@keyturn/contract/deals/endpoints.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { type Cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { type Change, changesBetween } from '../../../api/mutations/changes.ts'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { useDraft } from '../../../auth/use-draft.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { announce, Notice } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { WholeDollarField } from '../../../components/fields/whole-number-field.tsx'
import { parsePrice, syncPriceField, usePriceForm } from '../use-price-form.ts'
import { findPendingRequest, findPendingRequestChanges } from './find-pending-request.ts'

const texts = sellingTexts.proposal

export const proposalDraft = (requestId: string) => `proposal ${requestId}`

type ProposePriceProps = { car: Car; requests: readonly Request[]; requestId: string; onClose: () => void }

/** Proposes another price to the buyer of one request, or takes that back (R-deals-93). */
export function ProposePriceDialog({ car, requests, requestId, onClose }: ProposePriceProps) {
  const { current, outcome } = findPendingRequest(requests, requestId)
  const proposing = useEndpointMutation(proposePrice, { refresh: [['deals'], ['cars']], onDone: onClose })
  const decision = useDecision({ by: proposing, current, newsOf: proposalNews })
  const { read, isGone, mayDecide } = decision
  const form = usePriceForm(read?.proposedPrice ?? null)
  useDraft(form, proposalDraft(requestId))
  const [fault, setFault] = useState<ApiError | null>(null)
  const send = async (price: Cents | null) => {
    setFault(null)
    const sent = await decision.act(({ buyer, version }) => ({
      body: { userId: car.sellerId, vin: car.vin, buyerId: buyer._id, price, version },
    }))
    if (sent) announce(price === null ? texts.takenBack : texts.sent)
  }
  const { submit, trouble, clearError } = useFormMutation(form, async (values) => {
    const price = parsePrice(values)
    if (price === read?.price) {
      form.setFieldError('newPrice', texts.sameAsOffer)
      return form.getInputNode('newPrice')?.focus()
    }
    await send(price)
  })
  if (!read) return null
  const [buyer, offer] = [fullName(read.buyer), formatUsd(read.price)]
  const adoptChanges = () => {
    syncPriceField(form, read.proposedPrice, current?.proposedPrice ?? null)
    clearError()
    setFault(null)
  }
  return (
    <Dialog
      title={texts.title(buyer)}
      focusInside
      size="sm"
      onClose={onClose}
      onSubmit={submit}
      busy={proposing.isWorking}
      trouble={
        <DecisionChanges
          decision={decision}
          over={isGone && outcome}
          changed={sellingTexts.requestChanged}
          goOn={sellingTexts.lookAgain}
          onGoOn={adoptChanges}
          error={trouble ?? fault}
        />
      }
      actions={
        isGone ? (
          <Button onClick={onClose}>{sellingTexts.close}</Button>
        ) : (
          <>
            {read.proposedPrice !== null && (
              <WorkButton
                variant="default"
                disabled={!mayDecide || proposing.isWorking}
                onClick={() => send(null).catch(setFault)}
              >
                {texts.takeBack}
              </WorkButton>
            )}
            <FormActions
              onCancel={onClose}
              busy={proposing.isWorking}
              working={texts.sending}
              disabled={!mayDecide}
            >
              {texts.send}
            </FormActions>
          </>
        )
      }
    >
      <Text>{texts.lead(buyer, offer)}</Text>
      <WholeDollarField
        label={texts.field}
        description={texts.hint}
        data-autofocus
        {...form.getInputProps('newPrice')}
      />
      {read.buyerSigned && <Notice kind="waiting">{texts.signed(buyer)}</Notice>}
    </Dialog>
  )
}

const proposalNews = (before: Request, after: Request): Change[] => [
  ...findPendingRequestChanges(before, after),
  ...changesBetween([proposalOf(before)], [proposalOf(after)]),
]

const proposalOf = ({ proposedPrice }: Request) => ({
  label: texts.label,
  value: proposedPrice === null ? texts.none : formatUsd(proposedPrice),
})
