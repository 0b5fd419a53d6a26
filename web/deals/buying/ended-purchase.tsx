import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { ReactNode } from 'react'
import { DealHeader } from '../../ui/deal/deal-header.tsx'
import { StatusBadge } from '../../ui/deal/status-badge.tsx'
import { Outcome } from '../../ui/feedback/outcome.tsx'
import { BackLink, LinkButton } from '../../ui/frame/link.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { DealTimeline } from '../deal-timeline.tsx'
import { NewMessages } from '../messages/new-messages.tsx'
import { priceNote } from '../price-note.ts'

type EndedPurchaseProps = {
  progress: Progress
  /** In a word. */
  status: string
  title: string
  /** A way on, besides the dashboard. */
  action?: ReactNode
  trouble?: ReactNode
  children: ReactNode
}

/** A purchase that has ended without the car: how stays readable. */
export function EndedPurchase({ progress, status, title, action, trouble, children }: EndedPurchaseProps) {
  const { carDetails, sellerId, vin, price, hasTrade } = progress
  const name = carName(carDetails)
  return (
    <Page
      title={wizardTexts.title}
      documentTitle={`${status} · ${name}`}
      quietTitle
      width="wizard"
      back={
        <BackLink to="/home" search={{ view: 'buying' }}>
          {wizardTexts.dashboard}
        </BackLink>
      }
      lead={<NewMessages dealId={progress._id} />}
    >
      <DealHeader
        title={name}
        vin={vin}
        body={carDetails.bodyType}
        price={price}
        unsetPrice={carTexts.toBeAgreed}
        priceNote={priceNote(progress)}
        status={<StatusBadge status="REJECTED" label={status} />}
      />
      <Outcome
        kind="waiting"
        title={title}
        action={
          <>
            {action}
            <LinkButton to="/home" search={{ view: 'buying' }}>
              {buyingTexts.toHome}
            </LinkButton>
          </>
        }
      >
        {children}
        {hasTrade && <p>{termsTexts.lost.freeTrade}</p>}
      </Outcome>
      {trouble}
      <DealTimeline dealId={progress._id} userId={sellerId} vin={vin} other={fullName(progress.seller)} />
    </Page>
  )
}
