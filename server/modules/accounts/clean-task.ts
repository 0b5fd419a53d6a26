import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { deleteExpiredResponses } from '../../platform/http/idempotency.ts'
import type { Task } from '../../platform/jobs/jobs.ts'
import { deleteEmailsToPeople, deleteOldEmails } from '../../platform/mail/email-queue.ts'
import { deleteExpiredThrottles } from '../../platform/rate-limits/throttle-repository.ts'
import { networkTtlDays } from './sessions/known-networks.ts'

/** Scheduled once, by the migration that creates these tables; it reschedules itself. */
export const cleanJob = 'clean-accounts'

/** Deletes expired rows of modules that depend on this one; injected by `main.ts`. */
export type CleanOtherModules = (db: Db) => Promise<void>

export const cleanTask = (deps: Pick<Deps, 'db'>, also: CleanOtherModules): Task => ({
  places: 1,
  run: async () => {
    await clean(deps.db)
    await also(deps.db)
    return { againInMs: hourMs }
  },
})

/**
 * Deletes unusable rows every hour. A session's refresh tokens stay as long as the session: a
 * replayed old token must be recognized. Sessions stay 30 days longer, to show past sign-ins.
 */
async function clean(db: Db): Promise<void> {
  for (const statement of statements) await db.execute(statement)
  await deleteExpiredThrottles(db)
  await deleteExpiredResponses(db)
  await deleteOldEmails(db)
  // Emails that were queued while the account was being deleted.
  await deleteEmailsToPeople(
    db,
    sql`select id from users where deleted_at > keyturn_now() - interval '2 days'`,
  )
}

const statements = [
  sql`delete from sessions where least(expires_at, ended_at) < keyturn_now() - interval '30 days'`,
  sql`delete from admin_sessions where least(expires_at, ended_at) < keyturn_now() - interval '30 days'`,
  sql`delete from email_codes where expires_at < keyturn_now() - interval '30 days'`,
  sql`delete from known_networks where last_used_at < keyturn_now() - ${networkTtlDays} * interval '1 day'`,
]
