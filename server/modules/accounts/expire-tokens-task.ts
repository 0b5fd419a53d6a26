import { sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Task } from '../../platform/jobs/jobs.ts'

/** Scheduled once, by the migration; it reschedules itself. */
export const expireTokensJob = 'expire-accounts'

export const expireTokensTask = (deps: Pick<Deps, 'db'>): Task => ({
  places: 1,
  run: async () => {
    await expire(deps)
    return { againInMs: 60_000 }
  },
})

/** Marks expired rows as ended, so that they stay expired when the clock steps back. */
async function expire({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (const statement of statements) await db.execute(statement)
}

const statements = [
  ...['', 'admin_'].flatMap((kind) => [
    sql.raw(`delete from ${kind}access_tokens where expires_at <= keyturn_now()`),
    // Not deleted: a replayed old token must be recognized as long as its session exists.
    sql.raw(`update ${kind}refresh_tokens set expires_at = '-infinity'
      where expires_at <= keyturn_now() and expires_at > '-infinity'`),
    sql.raw(`update ${kind}sessions set ended_at = keyturn_now(), ended_because = 'expired'
      where expires_at <= keyturn_now() and ended_at is null`),
  ]),
  sql`update email_codes set superseded_at = keyturn_now() where expires_at <= keyturn_now() and superseded_at is null`,
]
