import { desc, type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { newId } from '../database/new-id.ts'
import { type Db, transaction } from '../database/open-database.ts'
import { addJob, addJobs } from '../jobs/jobs.ts'
import { deleteBounce } from './bounces.ts'
import { type EmailContent, htmlOf, textOf } from './email-content.ts'
import * as store from './mail-repository.ts'
import { subjectOf } from './sentence.ts'
import { stopLink } from './stop-links.ts'
import { type MailRow, mailBounces, mails } from './tables.ts'

export const mailJob = 'send-mail'
/** A separate job, so that generating attachments does not delay other emails. */
export const mailWithFilesJob = 'send-mail-with-files'
const jobFor = ({ attachment }: { attachment: string | null }): string =>
  attachment === null ? mailJob : mailWithFilesJob

/** `id` is the account the email is about; null if it was deleted. */
export type MailRecipient = { id: string | null; email: string }

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

export type MailRequest = { to: MailRecipient; content: EmailContent; options?: MailOptions }

/**
 * Queues an email in the transaction that causes it; it is sent after the commit. Without SMTP_URL
 * it appears in the administrator's mailbox and counts as sent. It is deleted together with its
 * recipient.
 */
export const sendMail = (
  deps: Pick<Deps, 'config'>,
  tx: Db,
  to: MailRecipient,
  content: EmailContent,
  options: MailOptions = {},
): Promise<void> => sendMails(deps, tx, [{ to, content, options }])

export async function sendMails(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  outgoing: readonly MailRequest[],
): Promise<void> {
  if (outgoing.length === 0) return
  const rows = outgoing.map((one) => rowOf(deps, one))
  await store.insertMails(tx, rows)
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

function rowOf({ config }: Pick<Deps, 'config'>, { to, content, options = {} }: MailRequest): store.NewMail {
  const { validForMs, attachment = null, thread = null, of, kind } = options
  const canStop = kind !== undefined && to.id !== null
  const letter = canStop ? { ...content, stop: stopLink(config, to.id ?? '', [kind]) } : content
  return {
    id: newId(),
    userId: to.id,
    recipient: to.email,
    kind: kind ?? null,
    thread,
    subject: subjectOf(letter.subject),
    html: htmlOf(letter),
    text: textOf(letter),
    letter: config.smtpUrl !== null && canStop ? JSON.stringify(letter) : null,
    attachment,
    event: of?.event ?? null,
    audience: of?.audience ?? null,
    goodForSeconds: validForMs === undefined ? null : validForMs / 1000,
    isSent: config.smtpUrl === null,
  }
}

/** Lists the built-in mailbox. Empty if SMTP_URL is set: real users' emails contain codes. */
export async function listMails({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<MailRow[]> {
  if (config.smtpUrl !== null) return []
  return db.select().from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(200)
}

/** Lists unsent emails without their text: given-up emails first, then the newest. */
export async function listQueue({ db }: Pick<Deps, 'db'>) {
  const [counts] = await store.countUnsent(db, {})
  return {
    waiting: counts?.waiting ?? 0,
    failed: counts?.failed ?? 0,
    mails: await store.listUnsent(db, { limit: 200 }),
  }
}

/**
 * Queues a given-up email again, even to an address that bounced. Returns false if it was not given
 * up or its text was deleted.
 */
export function resendMail({ db }: Pick<Deps, 'db'>, id: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    const [mail] = await store.requeueMail(tx, { id })
    if (!mail) return false
    if (mail.userId !== null) await deleteBounce(tx, { userId: mail.userId, address: mail.recipient })
    await addJob(tx, jobFor(mail), { id })
    return true
  })
}

export async function deleteMailsOf(tx: Db, people: SQL | string): Promise<void> {
  await tx.delete(mails).where(sql`${mails.userId} in (${people})`)
  await tx.delete(mailBounces).where(sql`${mailBounces.userId} in (${people})`)
}

export { deleteOldMails, giveUpMails } from './mail-repository.ts'
