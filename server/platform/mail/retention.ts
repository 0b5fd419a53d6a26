import { sql } from 'drizzle-orm'
import { agedRows, type RetentionRule } from '../retention/retention-rule.ts'
import { mails } from './tables.ts'

/** Pending emails have neither time. Combined emails leave with the email that contains them. */
export const emailRetention: readonly RetentionRule[] = [
  agedRows({ kind: 'emails', table: mails, at: sql`coalesce(sent_at, dead_at)` }),
  agedRows({
    kind: 'failedEmailTexts',
    table: mails,
    at: sql`dead_at`,
    where: sql`html <> ''`,
    set: sql`subject = '', html = '', text = '', letter = null`,
  }),
]
