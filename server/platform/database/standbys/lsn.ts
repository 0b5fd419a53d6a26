import type pg from 'pg'

/** A place in the write-ahead log: 16 hexadecimal digits, which sort like the places. */
export type Lsn = string
export type LsnOnTimeline = { lsn: Lsn; timeline: number }

/** Returns null for anything else that a browser may send. */
export const parseLsn = (text: string): Lsn | null => (/^[0-9a-f]{16}$/.test(text) ? text : null)

/** Reads the LSN of the primary's disk. An acknowledged commit is on the disk, so it is not after this. */
export const readFlushLsn = (pool: pg.Pool): Promise<LsnOnTimeline> =>
  readLsn(pool, 'flush-lsn', {
    lsn: 'pg_current_wal_flush_lsn()',
    timeline: `('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int`,
  })

/**
 * Reads the LSN up to which a standby shows all commits. A standby names a new timeline some
 * minutes after a failover; until then it might follow another primary.
 */
export const readReplayLsn = (pool: pg.Pool): Promise<LsnOnTimeline> =>
  readLsn(pool, 'replay-lsn', {
    lsn: 'pg_last_wal_replay_lsn()',
    timeline: `(select greatest(timeline_id, min_recovery_end_timeline)
      from pg_control_checkpoint(), pg_control_recovery() where pg_is_in_recovery())`,
  })

async function readLsn(
  pool: pg.Pool,
  name: string,
  { lsn, timeline }: Record<keyof LsnOnTimeline, string>,
): Promise<LsnOnTimeline> {
  const text = `select lpad(to_hex((${lsn} - '0/0')::bigint), 16, '0') as lsn, ${timeline} as timeline`
  const { rows } = await pool.query<LsnOnTimeline>({ name, text })
  const [read] = rows
  if (!read?.lsn) throw new Error('The database has no LSN')
  return read
}
