import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { decideRequest } from '@keyturn/contract/deals/endpoints.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { FactTable } from '../../../components/lists/fact-table.tsx'
import { progressQuery } from '../queries.ts'
import { contactFacts } from './contact-facts.tsx'
import { findPendingRequest, findPendingRequestChanges } from './find-pending-request.ts'
import { requestTerms, signatureText } from './request-facts.ts'

type ConfirmBuyerProps = {
  car: Car
  requests: readonly Request[]
  requestId: string
  onDeny: (request: Request) => void
  onConfirmed: (request: Request) => void
  onClose: () => void
}

/** Confirms or denies a buyer at their price (R-deals-21). */
export function ConfirmBuyerDialog({
  car,
  requests,
  requestId,
  onDeny,
  onConfirmed,
  onClose,
}: ConfirmBuyerProps) {
  const client = useQueryClient()
  const confirming = useEndpointMutation(decideRequest, { refresh: [['deals'], ['cars']] })
  const { current, outcome } = findPendingRequest(requests, requestId)
  const decision = useDecision({ by: confirming, current, newsOf: findPendingRequestChanges })
  const { read, mayDecide, isGone } = decision
  const confirm = async () => {
    const { sellerId: userId, vin } = car
    const confirmed = await decision.attempt(({ price, version, buyer }) => ({
      body: { userId, vin, status: 'ACCEPTED', buyerId: buyer._id, price, version },
    }))
    if (!confirmed || !read) return
    // The next dialog has the agreement: loaded later, it would change under the person's finger.
    await client.prefetchQuery(progressQuery(userId, vin))
    onConfirmed(read)
  }

  return (
    <Dialog
      title={texts.confirmTitle}
      onClose={onClose}
      busy={confirming.isWorking}
      trouble={
        <DecisionChanges
          decision={decision}
          over={isGone && outcome}
          changed={texts.requestChanged}
          goOn={texts.lookAgain}
        />
      }
      actions={
        isGone ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <>
            <Button
              variant="default"
              disabled={!mayDecide || confirming.isWorking}
              onClick={() => read && onDeny(read)}
            >
              {texts.deny}
            </Button>
            <WorkButton disabled={!mayDecide} onClick={confirm}>
              {texts.confirm}
            </WorkButton>
          </>
        )
      }
    >
      {read && <RequestFacts request={read} car={car} />}
      {read?.proposedPrice != null && (
        <Text>{texts.proposal.openWhenConfirming(formatUsd(read.proposedPrice), fullName(read.buyer))}</Text>
      )}
      {read && mayDecide && <Text>{texts.confirmQuestion(fullName(read.buyer), formatUsd(read.price))}</Text>}
    </Dialog>
  )
}

function RequestFacts({ request, car }: { request: Request; car: Car }) {
  const { buyer, createdAt } = request
  return (
    <FactTable
      facts={[
        { term: texts.buyer, value: fullName(buyer) },
        ...contactFacts(buyer, texts),
        ...requestTerms(request).map(({ label, value }) => ({ term: label, value })),
        { term: texts.askingPrice, value: car.price === null ? null : formatUsd(car.price) },
        { term: texts.requestedAt, value: formatDateTime(createdAt) },
        { term: texts.signature, value: signatureText(request) },
      ]}
    />
  )
}
