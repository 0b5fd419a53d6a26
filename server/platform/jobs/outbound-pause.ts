import { sql } from 'drizzle-orm'
import type { Db } from '../database/open-database.ts'

// A restored database may contain emails, deliveries and pushes that were already sent. All stay
// queued in every process until an operator resumes them (R-everywhere-48).

export async function pauseOutbound(tx: Db, because: string): Promise<void> {
  await tx.execute(sql`insert into outgoing_stops (because) values (${because}) on conflict do nothing`)
}

export async function resumeOutbound(db: Db): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`update outgoing_stops set ended_at = keyturn_now() where ended_at is null`,
  )
  return rowCount === 1
}

export async function findOutboundPause(db: Db): Promise<string | null> {
  const { rows } = await db.execute<{ because: string }>(
    sql`select because from outgoing_stops where ended_at is null`,
  )
  return rows[0]?.because ?? null
}
