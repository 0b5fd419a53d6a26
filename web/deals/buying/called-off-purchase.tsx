import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { startProgress } from '@keyturn/contract/deals/calls.ts'
import { dealersTexts } from '@keyturn/contract/deals/dealers/dealers-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useAct } from '../../decide/act.ts'
import { DealHeader } from '../../ui/deal/deal-header.tsx'
import { StatusBadge } from '../../ui/deal/status-badge.tsx'
import { Outcome } from '../../ui/feedback/outcome.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { BackLink, LinkButton } from '../../ui/frame/link.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { DealTimeline } from '../deal-timeline.tsx'
import { priceNote } from '../price-note.ts'
import { progressQuery } from '../queries.ts'

const texts = dealersTexts.calledOff

/** The purchase of a car whose sale the dealer has called off: why stays readable, and the buyer may begin anew (R-deals-76). */
export function CalledOffPurchase({ progress }: { progress: Progress }) {
  const { carDetails, sellerId, vin, price, hasTrade, dealerName, dealerSteps } = progress
  const client = useQueryClient()
  const again = useAct(startProgress, {
    onDone: (started) => client.setQueryData(progressQuery(sellerId, vin).queryKey, started),
  })
  const name = carName(carDetails)
  const reason = dealerSteps.findLast(({ step }) => step === 'cancelled')?.reason
  return (
    <Page
      title={wizardTexts.title}
      documentTitle={`${texts.status} · ${name}`}
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
        status={<StatusBadge status="REJECTED" label={texts.status} />}
      />
      <Outcome
        kind="waiting"
        title={texts.title(dealerName)}
        action={
          <>
            <WorkButton variant="default" onClick={() => again.attempt({ body: { userId: sellerId, vin } })}>
              {texts.startAgain}
            </WorkButton>
            <LinkButton to="/home" search={{ view: 'buying' }}>
              {buyingTexts.toHome}
            </LinkButton>
          </>
        }
      >
        {reason && <p>{texts.reason(reason)}</p>}
        <p>{texts.text}</p>
        {hasTrade && <p>{termsTexts.lost.freeTrade}</p>}
      </Outcome>
      {again.refusal && <Trouble>{again.refusal.message}</Trouble>}
      <DealTimeline userId={sellerId} vin={vin} />
    </Page>
  )
}
