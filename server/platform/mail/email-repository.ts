import { desc, eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { now } from '../database/columns.ts'
import type { Db } from '../database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../database/prepare-query.ts'
import { jobDueAtSql } from '../jobs/job-repository.ts'
import { mailBounces, mails } from './tables.ts'

/** Not sent, not given up, and not combined into another email. */
const isPending = sql`${mails.sentAt} is null and ${mails.deadAt} is null and ${mails.joinedInto} is null`

type Columns = 'id' | 'userId' | 'recipient' | 'kind' | 'thread' | 'subject' | 'html' | 'text' | 'attachment'
/** `letter` is JSON. */
export type NewEmail = Pick<typeof mails.$inferSelect, Columns | 'event' | 'audience'> & {
  letter: string | null
  goodForSeconds: number | null
  isSent: boolean
}
export const insertEmails = (db: Db, rows: readonly NewEmail[]) =>
  db.insert(mails).values(
    rows.map(({ letter, goodForSeconds, isSent, ...row }) => ({
      ...row,
      letter: sql`${letter}::jsonb`,
      goodUntil: sql`${now} + ${goodForSeconds}::int * interval '1 second'`,
      sentAt: sql`case when ${isSent}::boolean then ${now} end`,
    })),
  )

const tryForSeconds = 24 * 3600

export type PendingEmail = RowOf<typeof findPendingEmail>
export const findPendingEmail = prepareQuery('find-pending-email', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({
      ...getTableColumns(mails),
      isExpired: sql<boolean>`coalesce(${mails.goodUntil} <= ${now}, false)`,
      isOld: sql<boolean>`${mails.queuedAt} < ${now} - ${tryForSeconds} * interval '1 second'`,
      // Raw SQL: with a single table, the query builder omits the table of a column.
      isBounced: sql<boolean>`exists (select 1 from ${mailBounces} as bounce
        where bounce.user_id = mails.user_id and bounce.address = mails.recipient)`,
    })
    .from(mails)
    .where(sql`${mails.id} = ${p.id} and ${isPending}`),
)

/** Fixes the text and Message-ID. Returns no row if the email is no longer waiting. */
export const beginEmail = prepareQuery(
  'begin-email',
  (db, p: Placeholders<{ id: string; messageId: string }>) =>
    db
      .update(mails)
      .set({
        begunAt: sql`coalesce(${mails.begunAt}, ${now})`,
        messageId: sql`coalesce(${mails.messageId}, ${p.messageId})`,
      })
      .where(sql`${mails.id} = ${p.id} and ${isPending}`)
      .returning({ messageId: mails.messageId, begunAt: mails.begunAt }),
)

export const setEmailContent = prepareQuery(
  'set-email-content',
  (db, p: Placeholders<{ id: string; subject: string; html: string; text: string; letter: string }>) =>
    db
      .update(mails)
      .set({
        subject: sql`${p.subject}`,
        html: sql`${p.html}`,
        text: sql`${p.text}`,
        letter: sql`${p.letter}::jsonb`,
      })
      .where(eq(mails.id, p.id)),
)

/** Serializes sending per person, so that counts and combined emails are consistent. */
export const lockEmailsOfUser = prepareQuery(
  'lock-emails-of-user',
  (db, p: Placeholders<{ userId: string }>) =>
    db
      .select({ locked: sql`pg_advisory_xact_lock(${lockClass}, hashtext(${p.userId}))` })
      .from(sql`(select) as once`),
)
const lockClass = sql.raw('7165014')

/** Maximum number of optional emails per hour and person (R-notifications-14). */
const maxPerHour = 10

/** Returns the seconds until the next email may be sent; no row if it may be sent now. */
export const findEmailPause = prepareQuery('find-email-pause', (db, p: Placeholders<{ userId: string }>) =>
  db
    .select({
      seconds: sql<number>`ceil(extract(epoch from ${mails.begunAt} + interval '1 hour' - ${now}))::int`,
    })
    .from(mails)
    .where(
      sql`${mails.userId} = ${p.userId} and ${mails.kind} is not null and ${mails.begunAt} > ${now} - interval '1 hour'`,
    )
    .orderBy(desc(mails.begunAt))
    .offset(maxPerHour - 1)
    .limit(1),
)

export const markEmailHeldBack = prepareQuery('mark-email-held-back', (db, p: Placeholders<{ id: string }>) =>
  db.update(mails).set({ heldBack: true }).where(eq(mails.id, p.id)),
)

/** Nobody reads a longer email; the rest is sent with the next one. */
const maxCombined = 30

/** Locks emails of the same deal or delayed by the hourly limit. Oldest first. */
export const findCombinableEmails = prepareQuery(
  'find-combinable-emails',
  (db, p: Placeholders<{ id: string; userId: string; recipient: string; thread: string | null }>) =>
    db
      .select({
        id: mails.id,
        letter: mails.letter,
        heldBack: mails.heldBack,
        kind: mails.kind,
        event: mails.event,
      })
      .from(mails)
      .where(
        sql`${mails.userId} = ${p.userId} and ${mails.recipient} = ${p.recipient} and ${mails.kind} is not null
          and ${mails.letter} is not null and ${mails.attachment} is null and ${mails.begunAt} is null and ${isPending}
          and (${mails.id} = ${p.id} or ${mails.heldBack} or ${mails.thread} = ${p.thread})`,
      )
      .orderBy(mails.createdAt, mails.id)
      .limit(maxCombined)
      .for('update'),
)

export const combineEmailsInto = prepareQuery(
  'combine-emails-into',
  (db, p: Placeholders<{ head: string; ids: string[] }>) =>
    db
      .update(mails)
      .set({ ...emptyContent(), joinedInto: sql`${p.head}` })
      .where(sql`${mails.id} = any(${p.ids}::bpchar[])`),
)

export const deleteEmails = prepareQuery('delete-emails', (db, p: Placeholders<{ ids: string[] }>) =>
  db.delete(mails).where(sql`${mails.id} = any(${p.ids}::bpchar[])`),
)

export const countEmailAttempt = prepareQuery(
  'count-email-attempt',
  (db, p: Placeholders<{ id: string; because: string }>) =>
    db
      .update(mails)
      .set({ attempts: sql`${mails.attempts} + 1`, failedBecause: sql`${p.because}` })
      .where(eq(mails.id, p.id)),
)

/** Text is deleted once an email is done: it contains names and unhashed codes. */
function emptyContent() {
  return { subject: '', html: '', text: '', letter: null }
}

export const markEmailSent = prepareQuery('mark-email-sent', (db, p: Placeholders<{ id: string }>) =>
  db
    .update(mails)
    .set({ ...emptyContent(), sentAt: now, attempts: sql`${mails.attempts} + 1` })
    .where(eq(mails.id, p.id)),
)

/** Marks an email as given up; its text is stored for a week if it contains no code. */
function failedColumns(because: SQL | Placeholder) {
  const retained = (column: typeof mails.subject | typeof mails.html | typeof mails.text) =>
    sql`case when ${mails.goodUntil} is null then ${column} else '' end`
  return {
    subject: retained(mails.subject),
    html: retained(mails.html),
    text: retained(mails.text),
    deadAt: now,
    failedBecause: sql`${because}`,
  }
}

export const markEmailFailed = prepareQuery(
  'mark-email-failed',
  (db, p: Placeholders<{ id: string; because: string }>) =>
    db.update(mails).set(failedColumns(p.because)).where(eq(mails.id, p.id)),
)

export const giveUpEmails = (tx: Db, because: string) =>
  tx
    .update(mails)
    .set(failedColumns(sql`${because}`))
    .where(isPending)

/** Queues a given-up email again. Returns no row if there is none or its text is deleted. */
export const requeueEmail = prepareQuery('requeue-email', (db, p: Placeholders<{ id: string }>) =>
  db
    .update(mails)
    .set({ deadAt: null, queuedAt: now, attempts: 0, failedBecause: null, heldBack: false })
    .where(sql`${mails.id} = ${p.id} and ${mails.deadAt} is not null and ${mails.html} <> ''`)
    .returning({
      id: mails.id,
      userId: mails.userId,
      recipient: mails.recipient,
      attachment: mails.attachment,
    }),
)

export type UnsentEmail = RowOf<typeof listUnsentEmails>
export const listUnsentEmails = prepareQuery('list-unsent-emails', (db, p: Placeholders<{ limit: number }>) =>
  db
    .select({
      id: mails.id,
      userId: mails.userId,
      recipient: mails.recipient,
      kind: mails.kind,
      createdAt: mails.createdAt,
      attempts: mails.attempts,
      failedBecause: mails.failedBecause,
      heldBack: mails.heldBack,
      deadAt: mails.deadAt,
      hasContent: sql<boolean>`${mails.html} <> ''`,
      nextAt: sql<string | null>`case when mails.dead_at is null then ${jobDueAtSql(sql`mails.id`)} end`,
    })
    .from(mails)
    .where(sql`${mails.sentAt} is null and ${mails.joinedInto} is null`)
    .orderBy(sql`${mails.deadAt} is null`, desc(mails.createdAt), desc(mails.id))
    .limit(p.limit),
)

export const countUnsentEmails = prepareQuery(
  'count-unsent-emails',
  (db, _: Placeholders<Record<string, never>>) =>
    db
      .select({
        waiting: sql<number>`count(*) filter (where ${mails.deadAt} is null)::int`,
        failed: sql<number>`count(*) filter (where ${mails.deadAt} is not null)::int`,
      })
      .from(mails)
      .where(sql`${mails.sentAt} is null and ${mails.joinedInto} is null`),
)

/**
 * Deletes emails of no account a day after they were sent or given up: the last email to a deleted
 * account has an address that its owner had erased. Emails to the operator and to dealers go with
 * them.
 */
export async function deleteEmailsWithoutUser(db: Db): Promise<void> {
  await db
    .delete(mails)
    .where(
      sql`${mails.userId} is null and coalesce(${mails.sentAt}, ${mails.deadAt}) < ${now} - interval '1 day'`,
    )
}
