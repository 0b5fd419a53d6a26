import { sql } from 'drizzle-orm'
import type { Db } from '../database/open.ts'

// Mails, deliveries and pushes of a database that was put back to an earlier moment: some of what waits in it was said
// long ago. All of it stays in line until somebody says go, by whichever process (R-everywhere-48).

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
