import { type TradeFilter, tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { allTradesQuery } from '../queries.ts'
import { FilterBar } from './filter-bar.tsx'

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
