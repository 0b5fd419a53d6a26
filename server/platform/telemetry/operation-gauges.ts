import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import type { Db } from '../database/open-database.ts'
import type { GaugeReading } from './gauge-reading.ts'

type Replication = { mode: string | null; standbys: number; lag: number | null; unconfirmed: number | null }

/**
 * Reads the standbys by mode (sync, quorum, async, potential), the lag of the slowest in bytes, and
 * the bytes that no standby has and a failover would lose. Commits that wait for a standby are not
 * acknowledged, so in synchronous mode there are none. Returns nothing on a standby or without the pg_monitor role.
 */
export async function readReplicationGauges(db: Db): Promise<GaugeReading[]> {
  const { rows: settings } = await db.execute<{ maySee: boolean; isSynchronous: boolean }>(sql`
    select pg_has_role(current_user, 'pg_monitor', 'member') as "maySee",
      current_setting('synchronous_standby_names') <> '' as "isSynchronous"`)
  if (!settings[0]?.maySee) return []
  const { rows } = await db.execute<Replication>(sql`
    select sync_state as mode, count(*)::int as standbys,
      max(pg_wal_lsn_diff(written, replay_lsn))::float8 as lag,
      min(pg_wal_lsn_diff(written, flush_lsn))::float8 as unconfirmed
    from pg_stat_replication, (select case when not pg_is_in_recovery() then pg_current_wal_lsn() end as written) primary_wal
    group by 1`)
  const isInSync = rows.some(({ mode }) => mode === 'sync' || mode === 'quorum')
  const lags = rows.flatMap(({ lag }) => lag ?? [])
  const unconfirmed = rows.flatMap((row) => row.unconfirmed ?? [])
  const atRisk = settings[0].isSynchronous ? 0 : Math.min(...unconfirmed)
  return [
    ...rows.map(({ mode, standbys }) => ({
      gauge: 'keyturn_standbys' as const,
      of: mode ?? 'unknown',
      value: standbys,
    })),
    ...(lags.length > 0 ? [{ gauge: 'keyturn_standby_lag_bytes' as const, value: Math.max(...lags) }] : []),
    ...(unconfirmed.length > 0 ? [{ gauge: 'keyturn_commits_at_risk_bytes' as const, value: atRisk }] : []),
    {
      gauge: 'keyturn_synchronous_standby_missing',
      value: settings[0].isSynchronous && !isInSync ? 1 : 0,
    },
  ]
}

/**
 * Reads the fraction of free space (0 to 1) on the disks that hold the data folder, the photos and
 * the backups.
 */
export async function readDiskGauges({ dataDir, s3, backup }: Config): Promise<GaugeReading[]> {
  const folders = {
    data: dataDir,
    ...(!s3 && { photos: join(dataDir, 'photos') }),
    ...(backup && { backups: backup.folder }),
  }
  const readings = Object.entries(folders).map(async ([of, folder]) => {
    const { bavail, blocks } = await statfs(folder)
    return { gauge: 'keyturn_disk_free_ratio' as const, of, value: blocks === 0 ? 1 : bavail / blocks }
  })
  // The folders are created with the first photo and the first backup.
  const read = await Promise.allSettled(readings)
  return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
