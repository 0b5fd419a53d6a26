import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../database/open-database.ts'
import { combineEmails, type EmailContent, renderEmailHtml, renderEmailText } from './email-content.ts'
import * as store from './email-repository.ts'
import { renderSubject } from './sentence.ts'
import { unsubscribeLink } from './unsubscribe-link.ts'

/** An email with its final text and Message-ID, so that every attempt sends the same. */
export type ClaimedEmail = store.PendingEmail & { messageId: string; begunAt: Date }
/** Returns the ids of emails that became obsolete. Modules implement it; `start/job-runner.ts` passes it in. */
export type FindObsoleteEmails = (db: Db, mails: readonly string[]) => Promise<readonly string[]>
type BatchDeps = Pick<Deps, 'db' | 'config'> & { findObsolete: FindObsoleteEmails }
type Claim = { begun: ClaimedEmail } | { delayMs: number } | { failure: string } | { isGone: true }

/**
 * Claims a queued email for sending. Optional emails to one person about one deal are combined,
 * delayed by the hourly limit, and dropped if obsolete (R-notifications-13, -14, -24).
 */
export async function claimEmail(deps: BatchDeps, id: string): Promise<Claim> {
  const [mail] = await store.findPendingEmail(deps.db, { id })
  if (!mail) return { isGone: true }
  if (mail.isExpired) return { failure: 'its code has expired' }
  if (mail.begunAt) return beginSending(deps, deps.db, mail)
  const { userId } = mail
  if (mail.kind === null || userId === null) {
    const [current] = await dropObsolete(deps, deps.db, [mail])
    return current ? beginSending(deps, deps.db, current) : { isGone: true }
  }
  return transaction(deps.db, async (tx): Promise<Claim> => {
    await store.lockEmailsOfUser(tx, { userId })
    const [now] = await store.findPendingEmail(tx, { id })
    if (!now) return { isGone: true }
    const [current] = await dropObsolete(deps, tx, [now])
    if (!current) return { isGone: true }
    if (now.isBounced) return { failure: 'an earlier mail to this address came back' }
    const [pause] = await store.findEmailPause(tx, { userId })
    if (pause) {
      await store.markEmailHeldBack(tx, { id })
      return { delayMs: pause.seconds * 1000 }
    }
    return beginSending(deps, tx, await combineWithOthers(deps, tx, now, userId))
  })
}

async function beginSending(
  { config }: Pick<Deps, 'config'>,
  db: Deps['db'],
  mail: store.PendingEmail,
): Promise<Claim> {
  const messageId = `<${mail.id}@${domainOfAddress(config.mailFrom)}>`
  const [begun] = await store.beginEmail(db, { id: mail.id, messageId })
  if (!begun?.messageId || !begun.begunAt) return { isGone: true }
  return { begun: { ...mail, messageId: begun.messageId, begunAt: begun.begunAt } }
}

async function combineWithOthers(
  deps: BatchDeps,
  tx: Db,
  mail: store.PendingEmail,
  userId: string,
): Promise<store.PendingEmail> {
  const { id, recipient, thread } = mail
  const found = await dropObsolete(
    deps,
    tx,
    await store.findCombinableEmails(tx, { id, userId, recipient, thread }),
  )
  const [first, ...rest] = found.flatMap(({ letter }): EmailContent[] => (letter ? [letter] : []))
  const heldBack = found.some((other) => other.heldBack)
  if (!first || !found.some((other) => other.id === id) || (rest.length === 0 && !heldBack)) return mail
  const kinds = found.flatMap(({ kind }) => kind ?? [])
  const letter = {
    ...combineEmails([first, ...rest], heldBack),
    stop: unsubscribeLink(deps.config, userId, kinds),
  }
  const content = {
    subject: renderSubject(letter.subject),
    html: renderEmailHtml(letter),
    text: renderEmailText(letter),
  }
  await store.setEmailContent(tx, { id, ...content, letter: JSON.stringify(letter) })
  await store.combineEmailsInto(tx, {
    head: id,
    ids: found.map((other) => other.id).filter((other) => other !== id),
  })
  return { ...mail, ...content, letter }
}

async function dropObsolete<Mail extends { id: string; event: string | null }>(
  { findObsolete }: BatchDeps,
  tx: Db,
  mails: readonly Mail[],
): Promise<Mail[]> {
  const eventMailIds = mails.filter(({ event }) => event !== null).map(({ id }) => id)
  const obsolete = eventMailIds.length > 0 ? await findObsolete(tx, eventMailIds) : []
  if (obsolete.length > 0) await store.deleteEmails(tx, { ids: [...obsolete] })
  return mails.filter(({ id }) => !obsolete.includes(id))
}

export const domainOfAddress = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
