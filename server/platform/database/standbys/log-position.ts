import type pg from 'pg'

/** A position in the write-ahead log: 16 hexadecimal digits, which sort like the positions. */
export type LogPosition = string
export type LogPositions = { position: LogPosition; timeline: number }

/** Returns null for anything else that a browser may send. */
export const parseLogPosition = (text: string): LogPosition | null =>
  /^[0-9a-f]{16}$/.test(text) ? text : null

/** Reads the primary's position. An acknowledged commit is on the disk, so it is not after this. */
export const readWrittenPosition = (pool: pg.Pool): Promise<LogPositions> =>
  readPositions(pool, 'written-position', {
    position: 'pg_current_wal_flush_lsn()',
    timeline: `('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int`,
  })

/**
 * Reads the position up to which a standby shows all commits. A standby names a new timeline some
 * minutes after a failover; until then it might follow another primary.
 */
export const readReplayedPosition = (pool: pg.Pool): Promise<LogPositions> =>
  readPositions(pool, 'replayed-position', {
    position: 'pg_last_wal_replay_lsn()',
    timeline: `(select greatest(timeline_id, min_recovery_end_timeline)
      from pg_control_checkpoint(), pg_control_recovery() where pg_is_in_recovery())`,
  })

async function readPositions(
  pool: pg.Pool,
  name: string,
  { position, timeline }: Record<keyof LogPositions, string>,
): Promise<LogPositions> {
  const text = `select lpad(to_hex((${position} - '0/0')::bigint), 16, '0') as position, ${timeline} as timeline`
  const { rows } = await pool.query<LogPositions>({ name, text })
  const [read] = rows
  if (!read?.position) throw new Error('The database has no position in its log')
  return read
}
