import { packageTexts, termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { type Cents, cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import { Text } from '@mantine/core'

/** Says what the buyer pays at the dealer: the price less the trade-ins (R-deals-53). */
export const AmountDue = ({ left }: { left: Cents }) => (
  <Text fw="bold">
    {texts.youPay(formatUsd(cents(Math.max(0, left))))}
    {left < 0 && ` ${packageTexts.tradeAbovePrice(formatUsd(cents(-left)))}`}
  </Text>
)
