import { sql } from 'drizzle-orm'
import { type DataSection, defineDataSection, toMoment } from '../personal-data/data-section.ts'

type Mail = {
  id: string
  recipient: string
  subject: string
  body: string
  created_at: string
  sent_at: string | null
  failed_because: string | null
}

/**
 * Emails to a person, as long as they are kept. Those about the account have links that sign in or
 * set a password, and those with a signed agreement have a link that opens it, so their text is
 * left out: a file that is passed on must not open the account or the agreement.
 * Emails to a new address that is not verified yet are left out, because they differ if somebody
 * else has an account with it.
 */
const emails = defineDataSection<Mail>({
  name: 'emails',
  title: 'Emails to you',
  tables: ['mails'],
  select: ({
    personId,
  }) => sql`select id, recipient, subject, case when event is null or event = 'bothSigned' then '' else text end as body,
    created_at, sent_at, failed_because from mails
    where user_id = ${personId} and (event is not null or recipient = (select email from users where id = ${personId}))`,
  toRow: (row) => ({
    to: row.recipient,
    subject: row.subject,
    writtenAt: toMoment(row.created_at),
    sentAt: toMoment(row.sent_at),
    failedBecause: row.failed_because,
    text: row.body,
  }),
})

const bounces = defineDataSection<{ id: string; at: string; because: string }>({
  name: 'returnedEmails',
  title: 'Addresses of yours that returned an email',
  tables: ['mail_bounces'],
  select: ({ personId }) =>
    sql`select address as id, at, because from mail_bounces where user_id = ${personId}`,
  toRow: (row) => ({ address: row.id, at: toMoment(row.at), because: row.because }),
})

export const emailData: readonly DataSection[] = [emails, bounces]
