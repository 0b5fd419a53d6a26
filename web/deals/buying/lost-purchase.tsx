import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { DealHeader } from '../../ui/deal/deal-header.tsx'
import { StatusBadge } from '../../ui/deal/status-badge.tsx'
import { Outcome } from '../../ui/feedback/outcome.tsx'
import { BackLink, LinkButton } from '../../ui/frame/link.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { DealTimeline } from '../deal-timeline.tsx'
import { priceNote } from '../price-note.ts'

const { lost } = termsTexts

/** The purchase of a car that was sold to another buyer: what happened stays readable (R-deals-55). */
export function LostPurchase({ progress }: { progress: Progress }) {
  const { carDetails, sellerId, vin, price, hasTrade } = progress
  const name = carName(carDetails)
  return (
    <Page
      title={wizardTexts.title}
      documentTitle={`${lost.status} · ${name}`}
      quietTitle
      width="wizard"
      back={
        <BackLink to="/home" search={{ view: 'buying' }}>
          {wizardTexts.dashboard}
        </BackLink>
      }
    >
      <DealHeader
        title={name}
        vin={vin}
        body={carDetails.bodyType}
        price={price}
        unsetPrice={carTexts.toBeAgreed}
        priceNote={priceNote(progress)}
        status={<StatusBadge status="REJECTED" label={lost.status} />}
      />
      <Outcome
        kind="waiting"
        title={lost.title}
        action={
          <LinkButton to="/home" search={{ view: 'buying' }}>
            {buyingTexts.toHome}
          </LinkButton>
        }
      >
        <p>{lost.text}</p>
        {hasTrade && <p>{lost.freeTrade}</p>}
      </Outcome>
      <DealTimeline userId={sellerId} vin={vin} />
    </Page>
  )
}
