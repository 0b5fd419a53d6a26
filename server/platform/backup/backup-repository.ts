import { eq, type SQL, sql } from 'drizzle-orm'
import { now } from '../database/columns.ts'
import type { Db } from '../database/open-database.ts'
import { backups } from './tables.ts'

/** Returns null for a database of an older version, which can still be backed up. */
export async function beginBackup(db: Db): Promise<number | null> {
  const { rows } = await db.execute<{ there: boolean }>(
    sql`select to_regclass('backups') is not null as there`,
  )
  if (!rows[0]?.there) return null
  const [begun] = await db.insert(backups).values({}).returning({ id: backups.id })
  return begun?.id ?? null
}

export async function endBackup(
  db: Db,
  id: number | null,
  ended: { path: string } | { failedBecause: string },
): Promise<void> {
  if (id === null) return
  await db
    .update(backups)
    .set({ endedAt: now, ...ended })
    .where(eq(backups.id, id))
}

/** Records a failure that the backup process did not record itself. */
export const insertBackupFailure = (db: Db, failedBecause: string) =>
  db.insert(backups).values({ endedAt: now, failedBecause })

export type RecentBackups = {
  now: Date
  /** Start time of the newest complete backup. */
  lastComplete: Date | null
  lastFailed: Date | null
  /** Number of failures since the newest complete backup. */
  failures: number
}

/** Reads the last success and the failures after it, by the database clock. */
export async function readRecentBackups(db: Db): Promise<RecentBackups> {
  const { rows } = await db.execute<
    Record<'now' | 'lastComplete' | 'lastFailed' | 'failures', number | null>
  >(sql`
    with whole as (select max(began_at) as at from ${backups} where path is not null),
    failed as (
      select max(ended_at) as at, count(*)::float8 as count from ${backups}, whole
      where failed_because is not null and began_at > coalesce(whole.at, '-infinity'))
    select ${inMs(sql`keyturn_now()`)} as now, ${inMs(sql`whole.at`)} as "lastComplete",
      ${inMs(sql`failed.at`)} as "lastFailed", failed.count as failures
    from whole, failed`)
  const [row] = rows
  const moment = (ms: number | null | undefined) => (ms == null ? null : new Date(ms))
  return {
    now: moment(row?.now) ?? new Date(),
    lastComplete: moment(row?.lastComplete),
    lastFailed: moment(row?.lastFailed),
    failures: row?.failures ?? 0,
  }
}

const inMs = (moment: SQL) => sql`floor(extract(epoch from ${moment}) * 1000)::float8`
