import { sql } from 'drizzle-orm'
import type { Db } from '../database/open-database.ts'
import type { GaugeReading } from '../telemetry/gauge-reading.ts'

/** Seconds since the last complete backup; infinite before the first. */
export async function readBackupGauges(db: Db): Promise<GaugeReading[]> {
  const { rows } = await db.execute<{ age: number }>(sql`
    select extract(epoch from keyturn_now() - ended_at)::float8 as age
    from backups where path is not null order by began_at desc limit 1`)
  return [{ gauge: 'keyturn_backup_age_seconds', value: rows[0]?.age ?? Number.POSITIVE_INFINITY }]
}
