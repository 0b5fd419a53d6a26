import { type TradeFilter, tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { allTradesQuery } from '../queries.ts'
import classes from './filter-bar.module.css'

const texts = tradeTexts.wholesaler

type TradeStatusFilterProps = { value: TradeFilter; onChange: (value: TradeFilter) => void }

/** Filters by status. The counts appear only if one page contains all trades. */
export function TradeStatusFilter({ value, onChange }: TradeStatusFilterProps) {
  const name = useId()
  const { data } = useInfiniteQuery(allTradesQuery('ALL'))
  const [first] = data?.pages ?? []
  // Counting more would require scanning the whole table.
  const counted = first?.next === null ? first.rows : undefined
  return (
    <fieldset className={classes.bar} aria-label={texts.filter}>
      {filters.map((filter) => (
        <label key={filter} className={classes.option}>
          <input
            type="radio"
            name={name}
            className={classes.input}
            checked={filter === value}
            onChange={() => onChange(filter)}
          />
          {filter === 'ALL' ? texts.all : tradeStatusLabels[filter].filter}
          {counted && (
            <span className={classes.count}>
              {counted.filter(({ status }) => filter === 'ALL' || status === filter).length}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  )
}

const filters = ['ALL', ...tradeStatuses] as const
