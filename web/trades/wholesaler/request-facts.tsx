import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import { PhotoStrip } from '../../ui/deal/photo-strip.tsx'
import { FactTable } from '../../ui/lists/fact-table.tsx'
import { CarLines } from './car-lines.tsx'

const { fields } = tradeTexts.wholesaler

/** The request's facts, beside the price field. */
export function RequestFacts({ trade }: { trade: Trade }) {
  const { status, price, buyer, message } = trade
  return (
    <>
      <div>
        <Text fw={700}>{carName(trade)}</Text>
        <CarLines trade={trade} />
      </div>
      <PhotoStrip photos={trade.photos} name={carName(trade)} />
      <FactTable
        facts={[
          { term: fields.buyer, value: buyer && fullName(buyer) },
          { term: fields.message, value: message },
          {
            term: fields.counter,
            value: status === 'OFFER' && price !== null ? formatUsd(price) : null,
            strong: true,
          },
        ]}
      />
    </>
  )
}
