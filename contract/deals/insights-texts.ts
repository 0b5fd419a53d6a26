import { formatMonthDay } from '../shared/dates.ts'
import { plural } from '../shared/texts.ts'
import type { DealOutcome, FirstAnswer, FunnelStep } from './insights.ts'

const number = new Intl.NumberFormat('en-US')
const count = (value: number): string => number.format(value)
const countOf = (value: number, word: string) => `${count(value)} ${word}${value === 1 ? '' : 's'}`

/** Formats a part of a whole: `5 (42%)`. */
const partOf = (part: number, whole: number) => `${count(part)} (${Math.round((part / whole) * 100)}%)`

/** The administrator's figures (R-deals-97). */
export const insightsTexts = {
  tab: 'Insights',
  title: (weeks: number) => `The last ${weeks} weeks`,
  lead: (firstDay: string) => `From Monday, ${formatMonthDay(firstDay)}, 00:00 UTC, until now.`,
  failed: 'The insights could not be loaded. Please try again.',
  table: 'As a table',
  week: 'Week of',
  count,
  partOf,
  funnel: {
    title: 'How far listed cars get',
    lead: 'Cars listed in these weeks, and how many of them at least one buyer has brought to each step so far.',
    steps: {
      listed: 'Listed',
      started: 'Purchase started',
      requested: 'Requested',
      confirmed: 'Buyer confirmed',
      signed: 'Signed by both',
      completed: 'Completed',
    } satisfies Record<FunnelStep, string>,
    empty: 'No car was listed in these weeks.',
  },
  daysToSign: {
    title: 'Days from listing to signature',
    lead: (days: number) =>
      `Half of the deals were signed by both within ${days < 1 ? 'a day' : plural(days, 'day')}.`,
    caption: 'Deals signed in these weeks, by full days since the car was listed',
    days: 'Days',
    deals: 'Deals',
    group: (first: number, next: number | undefined) => {
      if (next === undefined) return `${first}+`
      return next === first + 1 ? String(first) : `${first}–${next - 1}`
    },
    empty: 'No deal was signed by both in these weeks.',
  },
  trades: {
    title: 'Trades answered within three hours',
    lead: (inTime: number, all: number) =>
      `Of ${countOf(all, 'trade')}, ${partOf(inTime, all)} got the first offer in time.`,
    caption: 'Trades by the week in which they were submitted',
    series: {
      inTime: 'Within three hours',
      late: 'Later',
      none: 'No offer',
    } satisfies Record<FirstAnswer, string>,
    empty: 'No trade submitted in these weeks has had an offer or waited three hours.',
  },
  deals: {
    title: 'Deals by week',
    lead: (all: number) => `In these weeks, both parties signed ${countOf(all, 'deal')}.`,
    caption: 'Deals by the week of the second signature',
    series: {
      completed: 'Completed',
      atDealer: 'At the dealer',
      canceled: 'Called off',
    } satisfies Record<DealOutcome, string>,
    empty: 'No deal was signed by both in these weeks.',
  },
}
