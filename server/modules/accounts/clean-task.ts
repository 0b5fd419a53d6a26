import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { Task } from '../../platform/jobs/jobs.ts'
import { deleteEmailsToPeople, deleteEmailsWithoutUser } from '../../platform/mail/email-queue.ts'
import { deleteExpiredThrottles } from '../../platform/rate-limits/throttle-repository.ts'

/** Scheduled once, by the migration that creates these tables; it reschedules itself. */
export const cleanJob = 'clean-accounts'

/** Deletes expired rows of modules that depend on this one; injected by `start/job-runner.ts`. */
export type CleanOtherModules = (db: Db) => Promise<void>

export const cleanTask = (deps: Pick<Deps, 'db'>, also: CleanOtherModules): Task => ({
  places: 1,
  run: async () => {
    await clean(deps.db)
    await also(deps.db)
    return { againInMs: hourMs }
  },
})

/** Deletes unusable rows every hour. Rows that only grow old are removed by `retentionTasks`. */
async function clean(db: Db): Promise<void> {
  await db.execute(sql`delete from passkey_challenges where expires_at < keyturn_now()`)
  await deleteExpiredThrottles(db)
  await deleteEmailsWithoutUser(db)
  // Emails that were queued while the account was being deleted.
  await deleteEmailsToPeople(
    db,
    sql`select id from users where deleted_at > keyturn_now() - interval '2 days'`,
  )
}
