import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import {
  type AprBand,
  amountToFinance,
  aprBands,
  estimateLoan,
  type LoanTerm,
  loanTerms,
} from '@keyturn/contract/deals/financing.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import {
  type Cents,
  cents,
  dollarsToCents,
  formatUsdExact,
  maxPriceDollars,
} from '@keyturn/contract/shared/money.ts'
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { Money } from '../../../../components/display/money.tsx'
import type { TypedNumber } from '../../../../components/fields/number-text.ts'
import { SelectField } from '../../../../components/fields/select-field.tsx'
import { WholeDollarField } from '../../../../components/fields/whole-number-field.tsx'
import { Card } from '../../../../components/layout/card.tsx'
import { FactTable } from '../../../../components/lists/fact-table.tsx'
import { LoanChart } from './loan-chart.tsx'

const texts = wizardTexts.loan

export type LoanWish = {
  price: TypedNumber
  tradeValue: TypedNumber
  downPayment: TypedNumber
  termMonths: LoanTerm
  band: AprBand
}

/**
 * Returns null without a price or with an invalid amount. An empty trade or down payment counts as
 * zero.
 */
export function wishedAmount(wish: LoanWish): Cents | null {
  if (wish.price === '' || hasInvalidAmount(wish)) return null
  return amountToFinance({
    price: typedToCents(wish.price),
    tradeValue: typedToCents(wish.tradeValue),
    downPayment: typedToCents(wish.downPayment),
  })
}

export const hasInvalidAmount = ({ price, tradeValue, downPayment }: LoanWish): boolean =>
  [price, tradeValue, downPayment].some((amount) => isUnparsed(amount) || isTooHigh(amount))

export const typedToCents = (value: TypedNumber): Cents =>
  typeof value === 'number' ? dollarsToCents(value) : cents(0)
const isUnparsed = (value: TypedNumber) => typeof value === 'string' && value !== ''
const isTooHigh = (value: TypedNumber) => typeof value === 'number' && value > maxPriceDollars

type LoanEstimatorProps = { wish: LoanWish; onChange: (change: Partial<LoanWish>) => void }

/** Estimates a loan's cost while the person types (R-deals-14). */
export function LoanEstimator({ wish, onChange }: LoanEstimatorProps) {
  const set =
    <Name extends keyof LoanWish>(name: Name) =>
    (value: LoanWish[Name]) =>
      onChange({ [name]: value })
  return (
    <Stack gap="md">
      <Card title={texts.inputs} order={3}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {(['price', 'downPayment', 'tradeValue'] as const).map((name) => (
            <WholeDollarField
              key={name}
              label={name === 'downPayment' ? buyingTexts.financingDownPayment : texts[name]}
              optional={name !== 'price'}
              value={wish[name]}
              error={isTooHigh(wish[name]) ? texts.tooMuch : undefined}
              onChange={set(name)}
            />
          ))}
          <SelectField
            label={texts.termLabel}
            value={String(wish.termMonths)}
            onChange={({ currentTarget }) => set('termMonths')(parseTerm(currentTarget.value))}
            options={loanTerms.map((months) => ({
              value: String(months),
              label: buyingTexts.financingMonths(months),
            }))}
          />
          <SelectField
            label={texts.bandLabel}
            value={wish.band}
            onChange={({ currentTarget }) => set('band')(parseBand(currentTarget.value))}
            options={bands.map((band) => ({ value: band, label: bandLabel(band) }))}
          />
        </SimpleGrid>
      </Card>
      <Card title={texts.result} order={3}>
        <Result wish={wish} />
      </Card>
    </Stack>
  )
}

function Result({ wish }: { wish: LoanWish }) {
  const amount = wishedAmount(wish)
  if (amount === null) return <Text c="dimmed">{wish.price === '' ? texts.noPrice : texts.unfit}</Text>
  if (amount === 0) return <Text>{texts.nothingLeft}</Text>
  const { termMonths } = wish
  const loan = estimateLoan({ amount, termMonths, aprBasisPoints: aprBands[wish.band] })
  return (
    <>
      <p role="status">
        <Money cents={loan.monthlyPayment} exact size="xl" />{' '}
        <Text span c="dimmed" size="sm">
          {texts.perMonth(termMonths)}
        </Text>
      </p>
      <FactTable
        label={texts.result}
        facts={[
          { term: texts.amount, value: formatUsdExact(amount) },
          { term: texts.totalInterest, value: formatUsdExact(loan.totalInterest) },
          { term: texts.totalPaid, value: formatUsdExact(loan.totalPaid) },
        ]}
      />
      <LoanChart loan={loan} />
      <Text c="dimmed" size="xs">
        {texts.rounding}
      </Text>
    </>
  )
}

const bands = Object.keys(aprBands) as AprBand[]
const parseBand = (value: string): AprBand => bands.find((band) => band === value) ?? 'good'
const parseTerm = (value: string): LoanTerm => loanTerms.find((term) => String(term) === value) ?? 60
const bandLabel = (band: AprBand) => texts.band(texts.bands[band], `${aprBands[band] / 100}%`)
