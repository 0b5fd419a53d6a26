import { desc, type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { newId, newOwnedId } from '../database/new-id.ts'
import { type Db, transaction } from '../database/open-database.ts'
import { addJob, addJobs } from '../jobs/jobs.ts'
import { deleteBounce } from './bounces.ts'
import { type EmailContent, renderEmailHtml, renderEmailText } from './email-content.ts'
import * as store from './email-repository.ts'
import { renderSubject } from './sentence.ts'
import { type EmailRow, mailBounces, mails } from './tables.ts'
import { unsubscribeLink } from './unsubscribe-link.ts'

export const sendEmailJob = 'send-mail'
/** A separate job, so that generating attachments does not delay other emails. */
export const sendEmailWithFilesJob = 'send-mail-with-files'
const jobFor = ({ attachment }: { attachment: string | null }): string =>
  attachment === null ? sendEmailJob : sendEmailWithFilesJob

/** `id` is the account the email is about; null if it was deleted. */
export type EmailRecipient = { id: string | null; email: string }

type MailOptions = {
  validForMs?: number
  /** Attachment as `kind:id`. The carrier of that kind creates the files when the email is sent. */
  attachment?: `${string}:${string}` | null
  /** Deal or trade; its emails form one thread. */
  thread?: string | null
  /** Event and audience of the email. It is not sent once the event is obsolete. */
  of?: { event: string; audience: string }
  /**
   * Preference that controls this optional email. It is held for 2 min, combined with others about
   * the same deal, and has an unsubscribe link.
   */
  kind?: string
}

/** Long enough for a series of actions, such as a price, a trade and a message. */
const holdMs = 120_000

export type EmailRequest = { to: EmailRecipient; content: EmailContent; options?: MailOptions }

/**
 * Queues an email in the transaction that causes it; it is sent after the commit. Without SMTP_URL
 * it appears in the administrator's mailbox and counts as sent. It is deleted together with its
 * recipient.
 */
export const enqueueEmail = (
  deps: Pick<Deps, 'config'>,
  tx: Db,
  to: EmailRecipient,
  content: EmailContent,
  options: MailOptions = {},
): Promise<void> => enqueueEmails(deps, tx, [{ to, content, options }])

export async function enqueueEmails(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  outgoing: readonly EmailRequest[],
): Promise<void> {
  if (outgoing.length === 0) return
  const rows = outgoing.map((one) => rowOf(deps, one))
  await store.insertEmails(tx, rows)
  if (deps.config.smtpUrl === null) return
  for (const job of new Set(rows.map(jobFor)))
    await addJobs(
      tx,
      job,
      rows
        .filter((row) => jobFor(row) === job)
        .map(({ id, letter }) => ({ payload: { id }, inMs: letter === null ? 0 : holdMs })),
    )
}

function rowOf(
  { config }: Pick<Deps, 'config'>,
  { to, content, options = {} }: EmailRequest,
): store.NewEmail {
  const { validForMs, attachment = null, thread = null, of, kind } = options
  const canStop = kind !== undefined && to.id !== null
  const letter = canStop ? { ...content, stop: unsubscribeLink(config, to.id ?? '', [kind]) } : content
  return {
    id: to.id === null ? newId() : newOwnedId(to.id),
    userId: to.id,
    recipient: to.email,
    kind: kind ?? null,
    thread,
    subject: renderSubject(letter.subject),
    html: renderEmailHtml(letter),
    text: renderEmailText(letter),
    letter: config.smtpUrl !== null && canStop ? JSON.stringify(letter) : null,
    attachment,
    event: of?.event ?? null,
    audience: of?.audience ?? null,
    goodForSeconds: validForMs === undefined ? null : validForMs / 1000,
    isSent: config.smtpUrl === null,
  }
}

/** Lists the built-in mailbox. Empty if SMTP_URL is set: real users' emails contain codes. */
export async function listEmails({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<EmailRow[]> {
  if (config.smtpUrl !== null) return []
  return db.select().from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(200)
}

/** Lists unsent emails without their text: given-up emails first, then the newest. */
export async function listQueuedEmails({ db }: Pick<Deps, 'db'>) {
  const [counts] = await store.countUnsentEmails(db, {})
  return {
    waiting: counts?.waiting ?? 0,
    failed: counts?.failed ?? 0,
    mails: await store.listUnsentEmails(db, { limit: 200 }),
  }
}

/**
 * Queues a given-up email again, even to an address that bounced. Returns null if it was not given
 * up or its text was deleted.
 */
export function resendEmail({ db }: Pick<Deps, 'db'>, id: string): Promise<{ userId: string | null } | null> {
  return transaction(db, async (tx) => {
    const [mail] = await store.requeueEmail(tx, { id })
    if (!mail) return null
    if (mail.userId !== null) await deleteBounce(tx, { userId: mail.userId, address: mail.recipient })
    await addJob(tx, jobFor(mail), { id })
    return { userId: mail.userId }
  })
}

export async function deleteEmailsToPeople(tx: Db, people: SQL | string): Promise<void> {
  await tx.delete(mails).where(sql`${mails.userId} in (${people})`)
  await tx.delete(mailBounces).where(sql`${mailBounces.userId} in (${people})`)
}

export { deleteEmailsWithoutUser, giveUpEmails } from './email-repository.ts'
