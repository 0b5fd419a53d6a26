import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { startProgress } from '@keyturn/contract/deals/endpoints.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { DealHeader } from '../../../components/display/deal-header.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Outcome } from '../../../components/feedback/outcome.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { HomeButton } from '../../../components/navigation/link.tsx'
import { MessagesButton } from '../../messages/messages-button.tsx'
import { DealTimeline } from '../deal-timeline.tsx'
import { priceNote } from '../price-note.ts'
import { progressQuery } from '../queries.ts'
import { PurchasePage } from './purchase-page.tsx'

const { lost } = termsTexts
const texts = dealersTexts.calledOff

type EndedPurchaseProps = {
  progress: Progress
  status: string
  title: string
  action?: ReactNode
  trouble?: ReactNode
  children: ReactNode
}

/** A purchase in which the buyer did not get the car. Its timeline can still be read. */
function EndedPurchase({ progress, status, title, action, trouble, children }: EndedPurchaseProps) {
  const { carDetails, sellerId, vin, price, hasTrade } = progress
  const name = carName(carDetails)
  return (
    <PurchasePage documentTitle={`${status} · ${name}`}>
      <DealHeader
        title={name}
        vin={vin}
        car={carDetails}
        price={price}
        unsetPrice={carTexts.toBeAgreed}
        priceNote={priceNote(progress)}
        status={<StatusBadge status="REJECTED" label={status} />}
        action={<MessagesButton dealId={progress._id} vin={vin} other={progress.seller} />}
      />
      <Outcome
        kind="waiting"
        title={title}
        action={
          <>
            {action}
            <HomeButton side="buying">{buyingTexts.toHome}</HomeButton>
          </>
        }
      >
        {children}
        {hasTrade && <p>{termsTexts.lost.freeTrade}</p>}
      </Outcome>
      {trouble}
      <DealTimeline userId={sellerId} vin={vin} />
    </PurchasePage>
  )
}

/** A purchase that the dealer canceled; the buyer may start again (R-deals-76). */
export function CalledOffPurchase({ progress }: { progress: Progress }) {
  const { sellerId: userId, vin, dealerName, dealerSteps } = progress
  const client = useQueryClient()
  const again = useEndpointMutation(startProgress, {
    onDone: (started) => client.setQueryData(progressQuery(userId, vin).queryKey, started),
  })
  const reason = dealerSteps.findLast(({ step }) => step === 'cancelled')?.reason
  return (
    <EndedPurchase
      progress={progress}
      status={texts.status}
      title={texts.title(dealerName)}
      action={
        <WorkButton variant="default" onClick={() => again.attempt({ body: { userId, vin } })}>
          {texts.startAgain}
        </WorkButton>
      }
      trouble={again.error && <ErrorNotice>{again.error.message}</ErrorNotice>}
    >
      {reason && <p>{texts.reason(reason)}</p>}
      <p>{texts.text}</p>
    </EndedPurchase>
  )
}

/** The purchase of a car that was sold to another buyer (R-deals-55). */
export const LostPurchase = ({ progress }: { progress: Progress }) => (
  <EndedPurchase progress={progress} status={lost.status} title={lost.title}>
    <p>{lost.text}</p>
  </EndedPurchase>
)
