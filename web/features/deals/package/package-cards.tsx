import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { packageTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { formatUsd, formatUsdExact } from '@keyturn/contract/shared/money.ts'
import { Group, Stack, Text } from '@mantine/core'
import { PhotoStrip } from '../../../components/display/photo-strip.tsx'
import { StatusBadge, type StatusBadgeProps } from '../../../components/display/status-badge.tsx'
import { Vin } from '../../../components/display/vin.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { FactTable } from '../../../components/lists/fact-table.tsx'
import { CarFacts } from '../../cars/car-card.tsx'
import { contactFacts } from '../selling/contact-facts.tsx'

type CardProps = { deal: DealPackage }

export function StateCard({ deal }: CardProps) {
  const { completedAt, agreement } = deal
  return (
    <Card>
      <Stack gap="md">
        <Group>
          <StatusBadge {...badgeOf(deal)} />
        </Group>
        <FactTable
          facts={[
            { term: texts.price, value: formatUsd(deal.price), strong: true },
            { term: texts.dealer, value: deal.dealer },
            { term: texts.passedAt, value: formatDateTime(deal.createdAt) },
            { term: texts.completedAt, value: completedAt && formatDateTime(completedAt) },
            { term: texts.textVersion, value: agreement.textVersion },
            { term: texts.sheetHash, value: agreement.hash },
          ]}
        />
      </Stack>
    </Card>
  )
}

function badgeOf({ completed, calledOff, dealer }: DealPackage): StatusBadgeProps {
  if (calledOff) return { status: 'REJECTED', label: dealersTexts.calledOff.by(dealer) }
  return completed
    ? { status: 'COMPLETED', label: texts.completed }
    : { status: 'PENDING', label: texts.pending }
}

export function PartyCards({ deal }: CardProps) {
  return (
    <>
      <PartyCard title={texts.seller} person={deal.seller} />
      <PartyCard title={texts.buyer} person={deal.buyer} />
    </>
  )
}

function PartyCard({ title, person }: { title: string; person: Person }) {
  return (
    <Card title={title}>
      <FactTable facts={[{ term: texts.name, value: fullName(person) }, ...contactFacts(person, texts)]} />
    </Card>
  )
}

export function CarCard({ deal }: CardProps) {
  return (
    <Card title={texts.car}>
      <PhotoStrip photos={deal.car.photos} name={carName(deal.car)} />
      <CarFacts car={deal.car} />
    </Card>
  )
}

/** The financing wish for the dealer's credit desk (R-deals-14). */
export function FinancingCard({ deal: { financing } }: CardProps) {
  return (
    <Card title={texts.financing}>
      {financing ? (
        <FactTable
          facts={[
            { term: texts.amount, value: financing.amount !== null && formatUsd(financing.amount) },
            { term: texts.term, value: financing.termMonths !== null && texts.months(financing.termMonths) },
            {
              term: texts.downPayment,
              value: financing.downPayment !== null && formatUsd(financing.downPayment),
            },
            { term: texts.contactConsent, value: financing.contactConsent ? texts.yes : texts.no },
          ]}
        />
      ) : (
        <Text>{texts.noFinancing}</Text>
      )}
    </Card>
  )
}

export function TradesCard({ deal: { trades } }: CardProps) {
  return (
    <Card title={texts.trades}>
      {trades.length === 0 ? (
        <Text>{texts.noTrades}</Text>
      ) : (
        <Stack gap="lg">
          {trades.map((trade) => (
            <Stack key={trade._id} gap="md">
              <PhotoStrip photos={trade.photos} name={carName(trade)} />
              <FactTable
                facts={[
                  { term: texts.car, value: carName(trade) },
                  { term: texts.vin, value: <Vin value={trade.vin} /> },
                  { term: carTexts.facts.payoff, value: trade.payoff ? texts.yes : texts.no },
                  { term: texts.tradePrice, value: trade.price === null ? null : formatUsd(trade.price) },
                  {
                    term: texts.salesTax,
                    value: trade.salesTax === null ? null : formatUsdExact(trade.salesTax),
                  },
                ]}
              />
            </Stack>
          ))}
          <Text c="dimmed" fz="sm">
            {texts.notPaidOut}
          </Text>
        </Stack>
      )}
    </Card>
  )
}
