import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open.ts'

/** A clock that is behind by what the story needs, for one transaction that nobody else can see into. */
export type StoryClock = {
  /** Goes to so many hours before the present. */
  ago(hours: number): void
  /** Lets a little time pass: what happens next is later than what happened before. */
  tick(): Promise<void>
  /** When the story is, as near as this process can tell. */
  present(): Date
  /** Before the commit, or everybody's clock would be behind. */
  putBack(): Promise<void>
}

const tickSeconds = 253

export async function storyClock(tx: Db): Promise<StoryClock> {
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
    putBack: async () => {
      await tx.execute(sql.raw(real))
    },
  }
}
