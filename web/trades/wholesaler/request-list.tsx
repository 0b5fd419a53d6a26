import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useInterval } from '@mantine/hooks'
import { type Ref, useState } from 'react'
import classes from './request-list.module.css'
import { RequestRow } from './request-row.tsx'

type RequestListProps = {
  ref: Ref<HTMLUListElement>
  trades: readonly Trade[]
  onOffer: (trade: Trade) => void
  onHistory: (trade: Trade) => void
}

export function RequestList({ ref, trades, onOffer, onHistory }: RequestListProps) {
  const [now, setNow] = useState(Date.now)
  // Twice a minute, for times shown in minutes.
  useInterval(() => setNow(Date.now()), 30_000, { autoInvoke: true })
  return (
    <ul ref={ref} className={classes.list} aria-label={tradeTexts.wholesaler.list}>
      {trades.map((trade) => (
        <RequestRow
          key={trade._id}
          trade={trade}
          now={now}
          onOffer={() => onOffer(trade)}
          onHistory={() => onHistory(trade)}
        />
      ))}
    </ul>
  )
}
