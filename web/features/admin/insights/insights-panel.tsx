import {
  dayGroups,
  dealOutcomes,
  firstAnswers,
  funnelSteps,
  type Insights,
  insightWeeks,
} from '@keyturn/contract/deals/insights.ts'
import { insightsTexts as texts } from '@keyturn/contract/deals/insights-texts.ts'
import { formatMonthDay } from '@keyturn/contract/shared/dates.ts'
import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ColumnChart } from '../../../components/display/column-chart.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { ListSection } from '../list-section.tsx'
import { insightsQuery } from '../queries.ts'
import classes from './insights-panel.module.css'

/** The administrator's figures of the last weeks (R-deals-97). */
export function InsightsPanel() {
  const insights = useQuery(insightsQuery)
  const firstDay = insights.data?.deals[0]?.week
  return (
    <ListSection title={texts.title(insightWeeks)} lead={firstDay && texts.lead(firstDay)}>
      <QueryContent from={insights} failed={texts.failed} skeleton="cards" skeletonRows={4}>
        {({ funnel, daysToSign, trades, deals }) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <Funnel counts={funnel} />
            <DaysToSign {...daysToSign} />
            <ByWeek
              of={texts.trades}
              weeks={trades}
              names={firstAnswers}
              lead={(sum) => texts.trades.lead(sumOfWeeks(trades, 'inTime'), sum)}
            />
            <ByWeek of={texts.deals} weeks={deals} names={dealOutcomes} lead={texts.deals.lead} />
          </SimpleGrid>
        )}
      </QueryContent>
    </ListSection>
  )
}

type FigureProps = {
  of: { title: string; empty: string }
  isEmpty: boolean
  lead: () => string
  children: ReactNode
}

function Figure({ of: { title, empty }, isEmpty, lead, children }: FigureProps) {
  return (
    <Card title={title} order={3}>
      <p>{isEmpty ? empty : lead()}</p>
      {!isEmpty && children}
    </Card>
  )
}

function Funnel({ counts }: { counts: Insights['funnel'] }) {
  const { listed } = counts
  return (
    <Figure of={texts.funnel} isEmpty={listed === 0} lead={() => texts.funnel.lead}>
      <ol className={classes.funnel}>
        {funnelSteps.map((step) => (
          <li key={step}>
            <span>{texts.funnel.steps[step]}</span>
            <span className={classes.count}>{texts.partOf(counts[step], listed)}</span>
            <svg className={classes.track} height="12" aria-hidden="true">
              <rect className={classes.bar} width={`${(counts[step] / listed) * 100}%`} height="12" />
            </svg>
          </li>
        ))}
      </ol>
    </Figure>
  )
}

function DaysToSign({ median, groups }: Insights['daysToSign']) {
  const { caption, days, deals, group } = texts.daysToSign
  const columns = groups.map((count, i) => ({
    label: group(dayGroups[i] ?? 0, dayGroups[i + 1]),
    values: [count],
  }))
  return (
    <Figure
      of={texts.daysToSign}
      isEmpty={median === null}
      lead={() => texts.daysToSign.lead(Math.round((median ?? 0) * 10) / 10)}
    >
      <CountChart caption={caption} first={days} series={[deals]} columns={columns} />
    </Figure>
  )
}

type WeeksProps<Name extends string> = {
  of: { title: string; empty: string; caption: string; series: Record<Name, string> }
  weeks: readonly { week: string; counts: Record<Name, number> }[]
  names: readonly Name[]
  lead: (sum: number) => string
}

function ByWeek<Name extends string>({ of, weeks, names, lead }: WeeksProps<Name>) {
  const sum = names.reduce((soFar, name) => soFar + sumOfWeeks(weeks, name), 0)
  return (
    <Figure of={of} isEmpty={sum === 0} lead={() => lead(sum)}>
      <CountChart
        caption={of.caption}
        first={texts.week}
        series={names.map((name) => of.series[name])}
        columns={weeks.map(({ week, counts }) => ({
          label: formatMonthDay(week),
          values: names.map((name) => counts[name]),
        }))}
      />
    </Figure>
  )
}

const sumOfWeeks = <Name extends string>(
  weeks: readonly { counts: Record<Name, number> }[],
  name: NoInfer<Name>,
): number => weeks.reduce((sum, { counts }) => sum + counts[name], 0)

type CountChartProps = {
  caption: string
  /** Heads the column of labels in the table. */
  first: string
  series: readonly string[]
  columns: readonly { label: string; values: readonly number[] }[]
}

const CountChart = ({ caption, first, series, columns }: CountChartProps) => (
  <ColumnChart
    caption={caption}
    series={series}
    columns={columns}
    format={(sum) => compact.format(sum)}
    table={{
      summary: texts.table,
      head: [first, ...series],
      rows: columns.map(({ label, values }) => [label, ...values.map(texts.count)]),
    }}
  />
)

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' })
