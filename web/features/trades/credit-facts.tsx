import { type Cents, formatUsd, formatUsdExact } from '@keyturn/contract/shared/money.ts'
import { explainCredit, formatTaxRate } from '@keyturn/contract/trades/credit-explanation.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Collapsible } from '../../components/display/collapsible.tsx'
import { FactTable } from '../../components/lists/fact-table.tsx'

const texts = tradeTexts.tax

type CreditProps = {
  price: Cents
  zipCode: string
  /** The rate from the look-up: a decimal, or a word such as Unavailable. */
  rate: string | null
  priceLabel?: string
  estimate?: string
  children?: ReactNode
}

/** A trade's total, and how its sales tax credit is computed, line by line (R-trades-30). */
export function CreditFacts(props: CreditProps) {
  const { price, zipCode, rate, priceLabel = texts.price, estimate = texts.estimate } = props
  const { credit, total, lines } = explainCredit(price, zipCode, rate)
  return (
    <Stack gap="md">
      <FactTable
        facts={[
          { term: priceLabel, value: formatUsd(price) },
          { term: texts.credit, value: formatUsdExact(credit) },
          { term: texts.rate, value: formatTaxRate(rate) },
          { term: texts.total, value: formatUsdExact(total), strong: true },
        ]}
      />
      {props.children}
      <Collapsible title={texts.explain} isOpen>
        <FactTable facts={lines.map(({ label, value }) => ({ term: label, value }))} />
        <Text c="dimmed" fz="sm" mt="sm">
          {estimate}
        </Text>
      </Collapsible>
    </Stack>
  )
}
