import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { describeSurplus, describeTradeLoans } from '@keyturn/contract/cars/loan-texts.ts'
import { type Cents, cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import { Text } from '@mantine/core'

type AmountDueProps = { left: Cents; trades?: Parameters<typeof describeTradeLoans>[0] | undefined }

/** Says what the buyer pays at the dealer, and how loans on trade-ins count in it (R-deals-53). */
export const AmountDue = ({ left, trades = [] }: AmountDueProps) => (
  <Text fw="bold">
    {[
      texts.youPay(formatUsd(cents(Math.max(0, left)))),
      describeSurplus(left, trades),
      describeTradeLoans(trades),
    ]
      .filter(Boolean)
      .join(' ')}
  </Text>
)
