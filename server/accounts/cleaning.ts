import { hourMs } from '@keyturn/contract/kit/dates.ts'
import { sql } from 'drizzle-orm'
import type { Deps } from '../deps.ts'
import type { Task } from '../jobs/jobs.ts'
import { keptDays } from './sessions/known-networks.ts'

/** Planned once, by the migration that makes these tables; it asks for its next turn itself. */
export const cleanJob = 'clean-accounts'

export const cleanTask = (deps: Pick<Deps, 'db'>): Task => ({
  places: 1,
  run: async () => {
    await clean(deps)
    return { againInMs: hourMs }
  },
})

/**
 * What nobody can use any more goes, hourly. A session's refresh tokens stay as long as it does: a replayed old one
 * must be recognised. Sessions stay a month longer, to answer "where was I signed in".
 */
export async function clean(deps: Pick<Deps, 'db'>): Promise<void> {
  for (const statement of statements) await deps.db.execute(statement)
}

const statements = [
  sql`delete from throttles where window_ends_at < keyturn_now() - interval '2 minutes' and free_at < keyturn_now()`,
  sql`delete from sessions where least(expires_at, ended_at) < keyturn_now() - interval '30 days'`,
  sql`delete from admin_sessions where least(expires_at, ended_at) < keyturn_now() - interval '30 days'`,
  sql`delete from email_codes where expires_at < keyturn_now() - interval '30 days'`,
  sql`delete from known_networks where last_used_at < keyturn_now() - ${keptDays} * interval '1 day'`,
  sql`delete from idempotency_keys where created_at < keyturn_now() - interval '72 hours'`,
  // Newer data may know the car: it is looked up again when somebody asks.
  sql`delete from vin_answers where make is null and asked_at < keyturn_now() - interval '1 day'`,
  sql`delete from mails where coalesce(sent_at, dead_at) < keyturn_now() - interval '90 days'`,
  // A farewell has told what it had to; and what was written while its person left belongs to nobody.
  sql`delete from mails where user_id is null and coalesce(sent_at, dead_at) < keyturn_now() - interval '1 day'`,
  sql`delete from mails where user_id in (select id from users where deleted_at is not null)`,
]
