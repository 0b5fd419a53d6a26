import { desc, type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { newId } from '../database/new-id.ts'
import { type Db, transaction } from '../database/open.ts'
import { addJob, addJobs } from '../jobs/jobs.ts'
import { deleteBounce } from './bounces.ts'
import { type EmailContent, htmlOf, textOf } from './email-content.ts'
import * as store from './mail-repository.ts'
import { subjectOf } from './sentence.ts'
import { stopLink } from './stop-links.ts'
import { type MailRow, mailBounces, mails } from './tables.ts'

export const mailJob = 'send-mail'
/** Of letters that take files along, which may still have to be made: those without do not wait behind them. */
export const mailWithFilesJob = 'send-mail-with-files'
const jobFor = ({ attachment }: { attachment: string | null }): string =>
  attachment === null ? mailJob : mailWithFilesJob

/** `id`: whose account the mail is about, null when it is gone. */
export type Recipient = { id: string | null; email: string }

type Wishes = {
  goodForMs?: number
  /** What goes out with it, as `kind:id`: whoever carries that kind makes the files when it leaves. */
  attachment?: `${string}:${string}` | null
  /** The deal or trade whose mails stand together in a mailbox. */
  thread?: string | null
  /** Of which event it tells, and as whom. Once nobody needs to know of that any more, it does not leave. */
  of?: { event: string; audience: string }
  /**
   * Of what its reader can do without: by which switch they get it. It is held for two minutes, leaves with what else
   * happens there meanwhile, and says how to stop it.
   */
  kind?: string
}

/** Long enough for what somebody does in one go, such as a price, a trade and a message. */
const holdMs = 120_000

export type Outgoing = { to: Recipient; written: EmailContent; wishes?: Wishes }

/**
 * Writes a letter in the transaction that causes it. By SMTP it leaves after the commit; without SMTP_URL it lies in
 * the mailbox that the administrator opens, and counts as sent at once. It is deleted with the person it was written to.
 */
export const sendMail = (
  deps: Pick<Deps, 'config'>,
  tx: Db,
  to: Recipient,
  written: EmailContent,
  wishes: Wishes = {},
): Promise<void> => sendMails(deps, tx, [{ to, written, wishes }])

export async function sendMails(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  outgoing: readonly Outgoing[],
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

function rowOf({ config }: Pick<Deps, 'config'>, { to, written, wishes = {} }: Outgoing): store.NewMail {
  const { goodForMs, attachment = null, thread = null, of, kind } = wishes
  const canStop = kind !== undefined && to.id !== null
  const letter = canStop ? { ...written, stop: stopLink(config, to.id ?? '', [kind]) } : written
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
    goodForSeconds: goodForMs === undefined ? null : goodForMs / 1000,
    sent: config.smtpUrl === null,
  }
}

/** The embedded mailbox. With a mail server there is none: what waits for it holds codes of real people. */
export async function listMails({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<MailRow[]> {
  if (config.smtpUrl !== null) return []
  return db.select().from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(200)
}

/** What has not left, without a word of it: those that were given up first, then the newest. */
export async function listQueue({ db }: Pick<Deps, 'db'>) {
  const [counts] = await store.countUnsent(db, {})
  return {
    waiting: counts?.waiting ?? 0,
    failed: counts?.failed ?? 0,
    mails: await store.listUnsent(db, { limit: 200 }),
  }
}

/**
 * An administrator's wish: what was given up is put into the line once more, also to an address that sent it back. False
 * where it was not given up, or has no words any more.
 */
export function sendAgain({ db }: Pick<Deps, 'db'>, id: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    const [mail] = await store.queueAgain(tx, { id })
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
