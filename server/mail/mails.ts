import { hourMs } from '@keyturn/contract/kit/dates.ts'
import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { now } from '../db/columns.ts'
import { newId } from '../db/new-id.ts'
import type { Db } from '../db/open.ts'
import { type Given, prepared, type RowOf } from '../db/prepared.ts'
import type { Deps } from '../deps.ts'
import { addJob, type Outcome, pauseMs, type Task, type Tasks } from '../jobs/jobs.ts'
import { keepTrying } from '../kit/keep-trying.ts'
import { reasonOf } from '../kit/reason-of.ts'
import { type Attachment, type Failure, type Mailer, smtpMailer } from '../outside/mailer.ts'
import { htmlOf, type Letter, textOf } from './letter.ts'
import { subjectOf } from './sentence.ts'
import { type MailRow, mails } from './tables.ts'

const mailJob = 'send-mail'

/**
 * Writes a letter in the transaction that causes it. By SMTP it leaves after the commit; without SMTP_URL it lies in
 * the mailbox that the administrator opens, and counts as sent at once. It is deleted with the person it was written to.
 */
export async function sendMail(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  to: Addressee,
  letter: Letter,
  {
    goodForMs,
    attachment = null,
    deliveryId = null,
  }: { goodForMs?: number; attachment?: string | null; deliveryId?: string | null } = {},
): Promise<void> {
  const id = newId()
  const outgoing = deps.config.smtpUrl !== null
  await insertMail(tx, {
    id,
    userId: to.id,
    recipient: to.email,
    subject: subjectOf(letter.subject),
    html: htmlOf(letter),
    text: textOf(letter),
    attachment,
    goodForSeconds: goodForMs === undefined ? null : goodForMs / 1000,
    sent: !outgoing,
    deliveryId,
  })
  if (outgoing) await addJob(tx, mailJob, { id })
}

/** Handed in by whoever knows what letters with a `deliveryId` take along. */
export type Carried = {
  filesOf(deliveryId: string): Promise<Attachment[]>
  /** `because` null: it was taken. `isOver`: it is not tried again. */
  tried(deliveryId: string, outcome: { because: string | null; isOver: boolean }): Promise<void>
}

/** `id`: whose account the mail is about, null when it is gone. */
export type Addressee = { id: string | null; email: string }

/** The embedded mailbox. With a mail server there is none: what waits for it holds codes of real people. */
export async function listMails({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<MailRow[]> {
  if (config.smtpUrl !== null) return []
  return db.select().from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(200)
}

/** Finds what a mail refers to; `main.ts` hands in who can. */
export type FindAttachment = (reference: string) => Promise<Attachment>

/**
 * Sends mails. While nobody answers at all the line waits, and mails stay in order of their age. Close once the jobs
 * have stopped.
 */
export function mailJobs(
  deps: Pick<Deps, 'db' | 'log' | 'config'>,
  findAttachment: FindAttachment = nothingAttached,
  carried?: Carried,
): { tasks: Tasks; close: () => void } {
  const { smtpUrl, mailFrom } = deps.config
  const mailer = smtpUrl ? smtpMailer(smtpUrl, mailFrom) : null
  const task: Task = {
    places: 4,
    run: ({ id }, { stopping }) =>
      deliver({ ...deps, carried }, { mailer, findAttachment }, String(id), stopping),
  }
  return { tasks: { [mailJob]: task }, close: () => mailer?.close() }
}

export async function deleteOldMails(db: Db): Promise<void> {
  const gone = sql`coalesce(${mails.sentAt}, ${mails.deadAt})`
  await db.delete(mails).where(sql`${gone} < ${now} - interval '90 days'`)
  // The last letter to an account that is gone holds the address that its person had erased.
  await db.delete(mails).where(sql`${mails.userId} is null and ${gone} < ${now} - interval '1 day'`)
}

/** `people`: their ids, or a query for them. */
export async function deleteMailsOf(tx: Db, people: SQL | string): Promise<void> {
  await tx.delete(mails).where(sql`${mails.userId} in (${people})`)
}

async function deliver(
  deps: Sending,
  { mailer, findAttachment }: { mailer: Mailer | null; findAttachment: FindAttachment },
  id: string,
  stopping: AbortSignal,
): Promise<Outcome> {
  const [mail] = await findWaiting(deps.db, { id })
  if (!mail || !mailer) return undefined
  if (mail.expired) return giveUp(deps, id, mail.attempts, 'its code has expired')
  const attachment = mail.attachment === null ? null : await findAttachment(mail.attachment).catch(reasonOf)
  // Not there yet, as when it is still to be made: the mail waits for it as for a server that is busy.
  if (typeof attachment === 'string') return waitFor(deps, mail, { outcome: 'busy', because: attachment })
  const files = await filesOf(deps.carried, mail.deliveryId).catch(reasonOf)
  if (typeof files === 'string') return waitFor(deps, mail, { outcome: 'busy', because: files })
  const delivery = await mailer.send({ ...mail, to: mail.recipient, attachment, files }, stopping)
  if (delivery.outcome === 'delivered') {
    await keepTrying(() => markSent(deps.db, { id }))
    await tell(deps, mail.deliveryId, null, true)
    return undefined
  }
  return waitFor(deps, mail, delivery)
}

async function waitFor(
  deps: Sending,
  {
    id,
    attempts: before,
    old,
    deliveryId,
  }: Pick<RowOf<typeof findWaiting>, 'id' | 'attempts' | 'old' | 'deliveryId'>,
  { outcome, because }: Failure,
): Promise<Outcome> {
  const attempts = before + 1
  await countAttempt(deps.db, { id, because })
  const isOver = outcome === 'refused' || old
  await tell(deps, deliveryId, because, isOver)
  if (isOver) return giveUp(deps, id, attempts, because)
  deps.log.warn({ mail: id, attempts, because }, 'mail waits')
  if (outcome === 'unreachable') return { resting: true, because }
  return { againInMs: pauseBefore(attempts, outcome), because }
}

const nothingAttached: FindAttachment = async (reference) => {
  throw new Error(`Nobody knows what ${reference} is`)
}

type Sending = Pick<Deps, 'db' | 'log'> & { carried: Carried | undefined }

const filesOf = async (carried: Carried | undefined, deliveryId: string | null): Promise<Attachment[]> =>
  deliveryId === null || !carried ? [] : carried.filesOf(deliveryId)

async function tell(
  { carried }: Sending,
  deliveryId: string | null,
  because: string | null,
  isOver: boolean,
) {
  if (deliveryId !== null) await carried?.tried(deliveryId, { because, isOver })
}

/** A server that answers "later" is given time; one that fell silent is asked again within a minute. */
const pauseBefore = (attempts: number, outcome: 'busy' | 'silent'): number =>
  outcome === 'silent' ? Math.min(60_000, pauseMs(attempts)) : pauseMs(attempts)

/** A mail that could not be delivered for a day is given up. */
const tryForSeconds = (24 * hourMs) / 1000

async function giveUp(
  deps: Pick<Deps, 'db' | 'log'>,
  id: string,
  attempts: number,
  because: string,
): Promise<undefined> {
  await markDead(deps.db, { id, because })
  deps.log.error({ mail: id, attempts, because }, 'mail given up')
  return undefined
}

const insertMail = prepared(
  'insert-mail',
  (
    db,
    p: Given<{
      id: string
      userId: string | null
      recipient: string
      subject: string
      html: string
      text: string
      attachment: string | null
      goodForSeconds: number | null
      sent: boolean
      deliveryId: string | null
    }>,
  ) =>
    db.insert(mails).values({
      id: p.id,
      userId: p.userId,
      recipient: p.recipient,
      subject: p.subject,
      html: p.html,
      text: p.text,
      attachment: p.attachment,
      goodUntil: sql`${now} + ${p.goodForSeconds}::int * interval '1 second'`,
      sentAt: sql`case when ${p.sent}::boolean then ${now} end`,
      deliveryId: p.deliveryId,
    }),
)

const findWaiting = prepared('waiting-mail', (db, p: Given<{ id: string }>) =>
  db
    .select({
      id: mails.id,
      recipient: mails.recipient,
      subject: mails.subject,
      html: mails.html,
      text: mails.text,
      attachment: mails.attachment,
      attempts: mails.attempts,
      deliveryId: mails.deliveryId,
      expired: sql<boolean>`coalesce(${mails.goodUntil} <= ${now}, false)`,
      old: sql<boolean>`${mails.createdAt} < ${now} - ${tryForSeconds} * interval '1 second'`,
    })
    .from(mails)
    .where(sql`${mails.id} = ${p.id} and ${mails.sentAt} is null and ${mails.deadAt} is null`),
)

const countAttempt = prepared('count-attempt', (db, p: Given<{ id: string; because: string }>) =>
  db
    .update(mails)
    .set({ attempts: sql`${mails.attempts} + 1`, failedBecause: sql`${p.because}` })
    .where(eq(mails.id, p.id)),
)

/** Deleted from mails that were sent or given up: they hold people's names, and codes that are stored as hashes elsewhere. */
const withoutWords = { subject: '', html: '', text: '' }

const markSent = prepared('mark-sent', (db, p: Given<{ id: string }>) =>
  db
    .update(mails)
    .set({ ...withoutWords, sentAt: now, attempts: sql`${mails.attempts} + 1` })
    .where(eq(mails.id, p.id)),
)

const markDead = prepared('mark-dead', (db, p: Given<{ id: string; because: string }>) =>
  db
    .update(mails)
    .set({ ...withoutWords, deadAt: now, failedBecause: sql`${p.because}` })
    .where(eq(mails.id, p.id)),
)
