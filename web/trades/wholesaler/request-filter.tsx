import { type TradeFilter, tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { allTradesQuery } from '../queries.ts'
import classes from './filter-bar.module.css'

const texts = tradeTexts.wholesaler

/** All and each status, with counts as long as one page holds everything. */
export function RequestFilter({
  value,
  onChange,
}: {
  value: TradeFilter
  onChange: (value: TradeFilter) => void
}) {
  const { data } = useInfiniteQuery(allTradesQuery('ALL'))
  const [first] = data?.pages ?? []
  // Counting more would mean scanning the whole table.
  const counted = first?.next === null ? first.rows : undefined
  const countOf = (filter: TradeFilter) =>
    counted?.filter(({ status }) => filter === 'ALL' || status === filter).length
  const option = (filter: TradeFilter, label: string) => ({ value: filter, label, count: countOf(filter) })
  return (
    <FilterBar
      label={texts.filter}
      value={value}
      onChange={onChange}
      options={[
        option('ALL', texts.all),
        ...tradeStatuses.map((status) => option(status, tradeStatusLabels[status].filter)),
      ]}
    />
  )
}

type FilterBarProps<V extends string> = {
  label: string
  value: V
  options: readonly { value: V; label: string; count?: number }[]
  onChange: (value: V) => void
}

/** A choice of filters, each with its number of rows. */
function FilterBar<V extends string>({ label, value, options, onChange }: FilterBarProps<V>) {
  const name = useId()
  return (
    <fieldset className={classes.bar} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={classes.option}>
          <input
            type="radio"
            name={name}
            className={classes.input}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
          {option.count !== undefined && <span className={classes.count}>{option.count}</span>}
        </label>
      ))}
    </fieldset>
  )
}
