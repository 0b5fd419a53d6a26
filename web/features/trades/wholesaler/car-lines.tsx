import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import { Vin } from '../../../components/display/vin.tsx'

const texts = tradeTexts.wholesaler

/** The facts that determine a price, in two lines below the car's name. */
export function CarLines({ trade }: { trade: Trade }) {
  return (
    <>
      <Text fz="sm">
        <Vin value={trade.vin} />
      </Text>
      <Text fz="sm" c="dimmed">
        {[
          trade.color,
          formatMiles(trade.mileage),
          texts.zip(trade.zipCode),
          trade.payoff ? texts.payoff.yes : texts.payoff.no,
        ].join(' · ')}
      </Text>
    </>
  )
}
