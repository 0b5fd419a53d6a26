import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import type { Db } from '../database/open-database.ts'
import type { GaugeReading } from './gauge-reading.ts'

type Replication = { mode: string | null; standbys: number; lag: number | null }

/**
 * Reads the standbys by mode (sync, quorum, async, potential), and the lag of the slowest in bytes.
 * Returns nothing on a standby or without the pg_monitor role.
 */
export async function readReplicationGauges(db: Db): Promise<GaugeReading[]> {
  const { rows: settings } = await db.execute<{ maySee: boolean; isSynchronous: boolean }>(sql`
    select pg_has_role(current_user, 'pg_monitor', 'member') as "maySee",
      current_setting('synchronous_standby_names') <> '' as "isSynchronous"`)
  if (!settings[0]?.maySee) return []
  const { rows } = await db.execute<Replication>(sql`
    select sync_state as mode, count(*)::int as standbys,
      max(pg_wal_lsn_diff(case when not pg_is_in_recovery() then pg_current_wal_lsn() end, replay_lsn))::float8 as lag
    from pg_stat_replication group by 1`)
  const isInSync = rows.some(({ mode }) => mode === 'sync' || mode === 'quorum')
  const lags = rows.flatMap(({ lag }) => lag ?? [])
  return [
    ...rows.map(({ mode, standbys }) => ({
      gauge: 'keyturn_standbys' as const,
      of: mode ?? 'unknown',
      value: standbys,
    })),
    ...(lags.length > 0 ? [{ gauge: 'keyturn_standby_lag_bytes' as const, value: Math.max(...lags) }] : []),
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
