import type { DealerDetails } from '@keyturn/contract/cars/car-pages.ts'
import { dealerCardTexts as texts } from '@keyturn/contract/cars/dealer-card-texts.ts'
import { PhoneLink } from '../../components/display/phone-link.tsx'
import { Card } from '../../components/layout/card.tsx'
import { FactTable } from '../../components/lists/fact-table.tsx'

/** The dealer that completes the sale, and what it does with money and title (R-cars-39). */
type DealerCardProps = {
  dealer: DealerDetails
  isOwed: boolean
  /** What has happened is left out: the card says what the dealer will do. */
  isTitleReceived?: boolean
  isCompleted?: boolean
}

export function DealerCard({ dealer, isOwed, isTitleReceived, isCompleted }: DealerCardProps) {
  const { name, address, phone, hours } = dealer
  return (
    <Card title={texts.title(name)}>
      {!isCompleted && <p>{texts.lead(name)}</p>}
      <FactTable
        facts={[
          { term: texts.location, value: address ?? texts.noLocation(name) },
          { term: texts.phone, value: phone && <PhoneLink number={phone} /> },
          { term: texts.hours, value: hours },
          { term: texts.money, value: isCompleted ? null : texts.pays(name) },
          {
            term: texts.titleTerm,
            value: isTitleReceived
              ? null
              : isOwed
                ? texts.titlePassesAfterLoan(name)
                : texts.titlePasses(name),
          },
        ]}
      />
    </Card>
  )
}
