import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'

/** A database clock set back for one transaction that no other session can see. */
export type SeedClock = {
  ago(hours: number): void
  /** Advances the clock a little, so that the next event is later than the last. */
  tick(): Promise<void>
  /** The time on the clock, as closely as this process knows it. */
  present(): Date
  /** Restores the clock; must run before the commit, or every session's clock would be behind. */
  restore(): Promise<void>
}

const tickSeconds = 253

export async function createSeedClock(tx: Db): Promise<SeedClock> {
  const { rows } = await tx.execute<{ real: string }>(
    sql`select pg_get_functiondef('keyturn_now()'::regprocedure) as real`,
  )
  const real = rows[0]?.real ?? ''
  let behind = 0
  return {
    ago: (hours) => {
      behind = hours * 3600
    },
    tick: async () => {
      behind = Math.max(0, behind - tickSeconds)
      await tx.execute(
        sql.raw(
          `create or replace function keyturn_now() returns timestamptz language sql stable as $$ select now() - interval '${behind} seconds' $$`,
        ),
      )
    },
    present: () => new Date(Date.now() - behind * 1000),
    restore: async () => {
      await tx.execute(sql.raw(real))
    },
  }
}
