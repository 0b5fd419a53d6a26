import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { decideBuyer } from '@keyturn/contract/deals/endpoints.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Progress, Request } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type Change, changesBetween } from '../../../api/mutations/changes.ts'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { TextAreaField } from '../../../components/fields/text-field.tsx'
import { findPendingRequest, findPendingRequestChanges } from './find-pending-request.ts'

const { changed, goOn } = dealTexts.home.news

type BuyerChoice = Pick<EndpointInput<typeof decideBuyer>['body'], 'userId' | 'vin' | 'buyerId' | 'version'>

/** Denies or releases a buyer with the typed message, and announces `success` once it is done. */
function useTurnDown(success: string, onDone: () => void) {
  const [message, setMessage] = useState('')
  const sending = useEndpointMutation(decideBuyer, { refresh: [['deals'], ['cars']], success, onDone })
  return { by: sending, message, setMessage }
}

type TurnDownProps<Row extends object | undefined> = {
  title: string
  confirm: string
  decision: ReturnType<typeof useDecision<typeof decideBuyer, Row>>
  draft: Pick<ReturnType<typeof useTurnDown>, 'message' | 'setMessage'>
  buyerOf: (read: NonNullable<Row>) => BuyerChoice
  /** Shown once the request can no longer be turned down; says why. */
  over: string
  changed: string
  goOn: string
  /** Focuses the message first. For dialogs that say nothing that their row did not already say. */
  beginsWithMessage?: boolean
  children: ReactNode
  onClose: () => void
}

function TurnDownDialog<Row extends object | undefined>(props: TurnDownProps<Row>) {
  const { decision, draft, buyerOf, changed, goOn, onClose } = props
  const { isGone, isWorking } = decision
  const message = draft.message.trim() || undefined
  const send = () => decision.attempt((read) => ({ body: { ...buyerOf(read), status: 'REJECTED', message } }))
  return (
    <Dialog
      title={props.title}
      focusInside={props.beginsWithMessage}
      size="sm"
      onClose={onClose}
      onSubmit={send}
      busy={isWorking}
      trouble={
        <DecisionChanges decision={decision} over={isGone && props.over} changed={changed} goOn={goOn} />
      }
      actions={
        isGone ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <FormActions danger onCancel={onClose} busy={isWorking} disabled={!decision.mayDecide}>
            {props.confirm}
          </FormActions>
        )
      }
    >
      {props.children}
      <TextAreaField
        label={texts.denyMessage}
        maxLength={1000}
        data-autofocus={props.beginsWithMessage || undefined}
        value={draft.message}
        onChange={(event) => draft.setMessage(event.currentTarget.value)}
      />
    </Dialog>
  )
}

type DenyDialogProps = { car: Car; requests: readonly Request[]; requestId: string; onClose: () => void }

/** Denies a request, with a message to its buyer (R-deals-23). */
export function DenyDialog({ car, requests, requestId, onClose }: DenyDialogProps) {
  const { by, ...typed } = useTurnDown(texts.denied, onClose)
  const { current, outcome } = findPendingRequest(requests, requestId)
  const decision = useDecision({ by, current, newsOf: findPendingRequestChanges })
  const { read } = decision
  if (!read) return null
  return (
    <TurnDownDialog
      title={texts.denyTitle}
      confirm={texts.deny}
      decision={decision}
      draft={typed}
      beginsWithMessage
      buyerOf={({ buyer, version }) => ({ userId: car.sellerId, vin: car.vin, buyerId: buyer._id, version })}
      over={outcome}
      changed={texts.requestChanged}
      goOn={texts.lookAgain}
      onClose={onClose}
    >
      <Text>
        {fullName(read.buyer)}, {formatUsd(read.price)}
      </Text>
      {read.buyerSigned && <Text fw={700}>{termsTexts.falls.denied(fullName(read.buyer))}</Text>}
    </TurnDownDialog>
  )
}

/** Releases a confirmed buyer. The seller must have seen whether the buyer has signed. */
export function ReleaseDialog({ deal, onClose }: { deal: Progress; onClose: () => void }) {
  const [buyerId] = useState(deal.buyerId)
  const { by, ...typed } = useTurnDown(texts.released, onClose)
  // If this buyer has left, the deal may now be another buyer's, which this dialog must not
  // release.
  const current = deal.buyerId === buyerId ? deal : undefined
  const decision = useDecision({ by, current, newsOf: newsOfDeal })
  const { read } = decision
  if (!read) return null
  const buyer = fullName(read.buyer)
  return (
    <TurnDownDialog
      title={texts.release}
      confirm={texts.release}
      decision={decision}
      draft={typed}
      buyerOf={({ sellerId: userId, vin, version }) => ({ userId, vin, buyerId, version })}
      over={texts.requestGone}
      changed={changed}
      goOn={goOn}
      onClose={onClose}
    >
      <Text>{texts.releaseQuestion(buyer)}</Text>
      {read.buyerSigned && <Text fw={700}>{texts.releaseSigned(buyer)}</Text>}
    </TurnDownDialog>
  )
}

function newsOfDeal(before: Progress, after: Progress): Change[] {
  const sentence = after.buyerSigned ? texts.hasSigned : texts.hasSignedNoMore
  return [
    ...changesBetween(pricesOf(before), pricesOf(after)),
    ...(before.buyerSigned === after.buyerSigned
      ? []
      : [{ label: fullName(after.buyer), before: '', after: '', sentence }]),
  ]
}

const pricesOf = ({ price }: Progress) =>
  price === null ? [] : [{ label: texts.offeredPrice, value: formatUsd(price) }]
