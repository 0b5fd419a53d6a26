import {
  type DealOutcome,
  type FirstAnswer,
  type FunnelStep,
  insightWeeks,
} from '@keyturn/contract/deals/insights.ts'
import { sql } from 'drizzle-orm'
import { prepareStatement } from '../../../platform/database/prepare-query.ts'
import { cars } from '../../cars/tables.ts'
import { tradeEvents, trades } from '../../trades/tables.ts'
import { deals } from '../tables.ts'

// Counts for the administrator (R-deals-97). The cost depends on the rows of the window only: an
// index finds them, and rows of other tables are looked up one by one.

type NoValues = Record<never, never>

const weekHours = 168

/**
 * The Monday on which the first week begins. A literal lets the planner estimate the number of rows,
 * and hours do not depend on a time zone.
 */
const since = sql.raw(
  `(date_trunc('week', keyturn_now(), 'UTC') - interval '${weekHours * (insightWeeks - 1)} hours')`,
)

/** The Mondays of the window, to include weeks without rows. */
const mondays = sql`generate_series(${since}, keyturn_now(), interval '168 hours') as monday`
const monday = sql`to_char(monday at time zone 'UTC', 'YYYY-MM-DD') as week`

export const countFunnel = prepareStatement<NoValues, Record<FunnelStep, number>>(
  'count-funnel',
  () => sql`
    select count(*)::int as listed,
      count(*) filter (where reached.started)::int as started,
      count(*) filter (where reached.requested)::int as requested,
      count(*) filter (where reached.confirmed)::int as confirmed,
      count(*) filter (where reached.signed)::int as signed,
      count(*) filter (where reached.completed)::int as completed
    from ${cars} cross join lateral (
      select count(*) > 0 as started,
        bool_or(${deals.requestedAt} is not null) as requested,
        bool_or(${deals.acceptedAt} is not null) as confirmed,
        bool_or(${deals.passedAt} is not null) as signed,
        bool_or(${deals.status} = 'COMPLETED') as completed
      from ${deals} where ${deals.carId} = ${cars.id}
    ) as reached
    where ${cars.createdAt} >= ${since}`,
)

/** `place` counts from 1, in the order of `bounds`. The median is the same in each row. */
export const countDaysToSign = prepareStatement<
  { bounds: number[] },
  { place: number; deals: number; median: number }
>(
  'count-days-to-sign',
  (p) => sql`
    with signed as (
      select extract(epoch from ${deals.passedAt}
        - (select ${cars.createdAt} from ${cars} where ${cars.id} = ${deals.carId}))::float8 / 86400 as days
      from ${deals} where ${deals.passedAt} >= ${since}
    )
    select width_bucket(days, ${p.bounds}::float8[]) as place, count(*)::int as deals,
      (select percentile_cont(0.5) within group (order by days) from signed) as median
    from signed group by place`,
)

export const countDealsByWeek = prepareStatement<NoValues, Record<DealOutcome, number> & { week: string }>(
  'count-deals-by-week',
  () => sql`
    with signed as (
      select date_trunc('week', ${deals.passedAt}, 'UTC') as monday,
        ${deals.status} = 'COMPLETED' as completed, ${deals.withdrawnAt} is not null as canceled
      from ${deals} where ${deals.passedAt} >= ${since}
    )
    select ${monday},
      count(*) filter (where completed)::int as completed,
      count(*) filter (where not completed and not canceled)::int as "atDealer",
      count(*) filter (where canceled)::int as canceled
    from ${mondays} left join signed using (monday) group by monday order by monday`,
)

export const countTradesByWeek = prepareStatement<
  { promiseMs: number },
  Record<FirstAnswer, number> & { week: string }
>(
  'count-trades-by-week',
  (p) => sql`
    with submitted as (
      select date_trunc('week', ${trades.createdAt}, 'UTC') as monday, ${trades.deletedAt} as deleted_at,
        ${trades.createdAt} + interval '1 millisecond' * ${p.promiseMs}::float8 as due,
        (select min(${tradeEvents.at}) from ${tradeEvents}
          where ${tradeEvents.tradeId} = ${trades.id} and ${tradeEvents.event} = 'offer') as offered_at
      from ${trades} where ${trades.createdAt} >= ${since}
    )
    select ${monday},
      count(*) filter (where offered_at <= due)::int as "inTime",
      count(*) filter (where offered_at > due)::int as late,
      count(*) filter (where offered_at is null and due <= least(keyturn_now(), deleted_at))::int as none
    from ${mondays} left join submitted using (monday) group by monday order by monday`,
)
