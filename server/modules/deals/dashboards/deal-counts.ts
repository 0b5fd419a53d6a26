import { sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import type { GaugeReading } from '../../../platform/telemetry/gauge-reading.ts'
import { maxGaugeCount } from '../../../platform/telemetry/gauges.ts'
import { deliveries } from '../../dealers/tables.ts'
import { dealCounts } from '../tables.ts'

type Waiting = { waiting: number; parked: number; oldest: number | null }

/** Counts deals by state, and those not yet delivered to their dealer (decision 51). */
export async function readDealGauges(db: Db): Promise<GaugeReading[]> {
  const counts = await db
    .select({ state: dealCounts.state, deals: sql<number>`sum(${dealCounts.change})::float8` })
    .from(dealCounts)
    .groupBy(dealCounts.state)
  const { rows } = await db.execute<Waiting>(sql`
    select count(*)::int as waiting, extract(epoch from keyturn_now() - min(created_at))::float8 as oldest,
      (select count(*) from (
        select from ${deliveries} where ${deliveries.state} = 'PARKED' and ${deliveries.kind} <> 'test' limit ${maxGaugeCount}
      ) as parked)::int as parked
    from (
      select ${deliveries.createdAt} from ${deliveries} where ${deliveries.state} = 'WAITING' limit ${maxGaugeCount}
    ) as waiting`)
  const { waiting = 0, parked = 0, oldest = 0 } = rows[0] ?? {}
  return [
    ...counts.map(({ state, deals }) => ({ gauge: 'keyturn_deals' as const, of: state, value: deals })),
    { gauge: 'keyturn_deliveries_waiting', value: waiting },
    { gauge: 'keyturn_deliveries_parked', value: parked },
    { gauge: 'keyturn_deliveries_oldest_seconds', value: oldest ?? 0 },
  ]
}

/** Merges the counts into one row per state. Skips rows that another process is merging. */
export const mergeDealCounts = (db: Db) =>
  db.execute(sql`
    with old as (
      delete from ${dealCounts} where id in (select id from ${dealCounts} order by id for update skip locked)
      returning state, change
    )
    insert into ${dealCounts} (state, change) select state, sum(change) from old group by state`)
