import { sql } from 'drizzle-orm'
import type { Db } from '../database/open-database.ts'
import type { GaugeReading } from '../telemetry/gauge-reading.ts'
import { maxGaugeCount } from '../telemetry/gauges.ts'

type Row = { name: string; due: number; oldest: number | null; failing: number }

/** Counts pending and failing jobs of each kind by its index, up to `maxGaugeCount`. */
export async function readJobGauges(db: Db, kinds: readonly string[]): Promise<GaugeReading[]> {
  const { rows } = await db.execute<Row>(sql`
    select kind.name, due.count::int as due, failing.count::int as failing,
      extract(epoch from keyturn_now() - oldest.run_at)::float8 as oldest
    from unnest(${sql.param(kinds)}::text[]) as kind (name)
    cross join lateral (
      select count(*) from (select from jobs where jobs.name = kind.name and run_at <= keyturn_now() limit ${maxGaugeCount}) as due
    ) as due
    cross join lateral (
      select count(*) from (
        select from jobs where jobs.name = kind.name and failed_because <> '' limit ${maxGaugeCount}
      ) as failing
    ) as failing
    left join lateral (
      select run_at from jobs where jobs.name = kind.name and run_at <= keyturn_now() order by run_at limit 1
    ) as oldest on true`)
  return rows.flatMap(({ name, due, oldest, failing }) => [
    { gauge: 'keyturn_jobs_due' as const, of: name, value: due },
    { gauge: 'keyturn_jobs_oldest_seconds' as const, of: name, value: oldest ?? 0 },
    { gauge: 'keyturn_jobs_failing' as const, of: name, value: failing },
  ])
}
