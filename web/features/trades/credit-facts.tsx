import { type Cents, formatUsd, formatUsdExact } from '@keyturn/contract/shared/money.ts'
import { explainCredit, formatTaxRate } from '@keyturn/contract/trades/credit-explanation.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Collapsible } from '../../components/display/collapsible.tsx'
import { type Fact, FactTable } from '../../components/lists/fact-table.tsx'
import { TaxNote } from './tax-note.tsx'

const texts = tradeTexts.tax

type CreditProps = {
  price: Cents
  trade: Pick<Trade, 'zipCode' | 'taxRate' | 'taxRateAsOf' | 'state'>
  priceLabel?: string
  /** Shown above the price. */
  before?: Fact
  texts?: Readonly<Record<'estimate' | 'notPaidOut', string>>
  children?: ReactNode
}

/** A trade's total, and how its sales tax credit is computed, line by line (R-trades-30). */
export function CreditFacts(props: CreditProps) {
  const { price, trade, priceLabel = texts.price, before } = props
  const { estimate, notPaidOut } = props.texts ?? texts
  const { credit, total, lines } = explainCredit(price, trade.zipCode, trade.taxRate)
  return (
    <Stack gap="md">
      <FactTable
        facts={[
          ...(before ? [before] : []),
          { term: priceLabel, value: formatUsd(price) },
          { term: texts.credit, value: formatUsdExact(credit) },
          { term: texts.rate, value: formatTaxRate(trade.taxRate) },
          { term: texts.total, value: formatUsdExact(total), strong: true },
        ]}
      />
      <Text c="dimmed" fz="sm">
        {notPaidOut}
      </Text>
      <TaxNote rate={trade.taxRate} state={trade.state} asOf={trade.taxRateAsOf} />
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
