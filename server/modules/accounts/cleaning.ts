import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open.ts'
import { deleteExpiredResponses } from '../../platform/http/idempotency.ts'
import type { Task } from '../../platform/jobs/jobs.ts'
import { deleteMailsOf, deleteOldMails } from '../../platform/mail/mails.ts'
import { deleteExpiredThrottles } from '../../platform/rate-limits/throttle-repository.ts'
import { keptDays } from './sessions/known-networks.ts'

/** Planned once, by the migration that makes these tables; it asks for its next turn itself. */
export const cleanJob = 'clean-accounts'

/** What the rooms above this one have to delete, handed down by `main.ts`. */
export type CleanAlso = (db: Db) => Promise<void>

export const cleanTask = (deps: Pick<Deps, 'db'>, also: CleanAlso): Task => ({
  places: 1,
  run: async () => {
    await clean(deps.db)
    await also(deps.db)
    return { againInMs: hourMs }
  },
})

/**
 * What nobody can use any more is deleted, hourly. A session's refresh tokens stay as long as it does: a replayed old one
 * must be recognized. Sessions stay a month longer, to answer "where was I signed in".
 */
async function clean(db: Db): Promise<void> {
  for (const statement of statements) await db.execute(statement)
  await deleteExpiredThrottles(db)
  await deleteExpiredResponses(db)
  await deleteOldMails(db)
  // Written while their person's account was being deleted.
  await deleteMailsOf(db, sql`select id from users where deleted_at > keyturn_now() - interval '2 days'`)
}

const statements = [
  sql`delete from sessions where least(expires_at, ended_at) < keyturn_now() - interval '30 days'`,
  sql`delete from admin_sessions where least(expires_at, ended_at) < keyturn_now() - interval '30 days'`,
  sql`delete from email_codes where expires_at < keyturn_now() - interval '30 days'`,
  sql`delete from known_networks where last_used_at < keyturn_now() - ${keptDays} * interval '1 day'`,
]
