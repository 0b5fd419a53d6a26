import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import type { Ref } from 'react'
import classes from './request-list.module.css'
import { RequestRow } from './request-row.tsx'
import { useNow } from './use-now.ts'

type RequestListProps = {
  ref: Ref<HTMLUListElement>
  trades: readonly Trade[]
  onOffer: (trade: Trade) => void
  onHistory: (trade: Trade) => void
}

export function RequestList({ ref, trades, onOffer, onHistory }: RequestListProps) {
  const now = useNow()
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
