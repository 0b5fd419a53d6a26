import { sql } from 'drizzle-orm'
import type { Db } from '../database/open-database.ts'
import type { GaugeReading } from '../telemetry/gauge-reading.ts'
import { maxGaugeCount } from '../telemetry/gauges.ts'
import { mails } from './tables.ts'

type Row = { waiting: number; givenUp: number; oldest: number | null }

/** Counts unsent emails, oldest first. Reads at most `maxGaugeCount` index entries. */
export async function readEmailGauges(db: Db): Promise<GaugeReading[]> {
  const { rows } = await db.execute<Row>(sql`
    select count(*) filter (where dead_at is null)::int as waiting, count(dead_at)::int as "givenUp",
      extract(epoch from keyturn_now() - min(queued_at) filter (where dead_at is null))::float8 as oldest
    from (
      select ${mails.deadAt}, ${mails.queuedAt} from ${mails}
      where ${mails.sentAt} is null and ${mails.joinedInto} is null order by ${mails.createdAt}, ${mails.id} limit ${maxGaugeCount}
    ) as unsent`)
  const { waiting = 0, givenUp = 0, oldest = 0 } = rows[0] ?? {}
  return [
    { gauge: 'keyturn_mails_waiting', value: waiting },
    { gauge: 'keyturn_mails_given_up', value: givenUp },
    { gauge: 'keyturn_mails_oldest_seconds', value: oldest ?? 0 },
  ]
}
