import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import { FactTable } from '../ui/fact-table.tsx'
import { Vin } from '../ui/vin.tsx'

const { input, wholesaler } = tradeTexts
const { fields } = wholesaler

/** What a price hangs on, once more beside the field that asks for it. */
export function RequestFacts({ trade }: { trade: Trade }) {
  return (
    <div>
      <Text fw={700} mb="xs">
        {carName(trade)}
      </Text>
      <FactTable
        facts={[
          { term: fields.vin, value: <Vin value={trade.vin} /> },
          { term: fields.mileage, value: trade.mileage.toLocaleString('en-US') },
          { term: fields.color, value: trade.color },
          { term: fields.zipCode, value: trade.zipCode },
          { term: fields.payoff, value: trade.payoff ? input.yes : input.no },
          { term: fields.buyer, value: trade.buyer && fullName(trade.buyer) },
          { term: fields.message, value: trade.message },
          {
            term: fields.counter,
            value: trade.status === 'OFFER' && trade.price !== null && formatUsd(trade.price),
            strong: true,
          },
        ].filter(({ value }) => value !== false)}
      />
    </div>
  )
}
