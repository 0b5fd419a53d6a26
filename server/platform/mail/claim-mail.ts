import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../database/open-database.ts'
import { combineEmails, type EmailContent, htmlOf, textOf } from './email-content.ts'
import * as store from './mail-repository.ts'
import { subjectOf } from './sentence.ts'
import { stopLink } from './stop-links.ts'

/** An email with its final text and Message-ID, so that every attempt sends the same. */
export type Begun = store.PendingMail & { messageId: string; begunAt: Date }
/** Returns the ids of emails that became obsolete. Modules implement it; `main.ts` passes it in. */
export type FindObsolete = (db: Db, mails: readonly string[]) => Promise<readonly string[]>
type BatchDeps = Pick<Deps, 'db' | 'config'> & { findObsolete: FindObsolete }
type Claim = { begun: Begun } | { delayMs: number } | { failure: string } | { isGone: true }

/**
 * Claims a queued email for sending. Optional emails to one person about one deal are combined,
 * delayed by the hourly limit, and dropped if obsolete (R-notifications-13, -14, -24).
 */
export async function claimMail(deps: BatchDeps, id: string): Promise<Claim> {
  const [mail] = await store.findPendingMail(deps.db, { id })
  if (!mail) return { isGone: true }
  if (mail.isExpired) return { failure: 'its code has expired' }
  if (mail.begunAt) return beginSending(deps, deps.db, mail)
  const { userId } = mail
  if (mail.kind === null || userId === null) {
    const [current] = await dropObsolete(deps, deps.db, [mail])
    return current ? beginSending(deps, deps.db, current) : { isGone: true }
  }
  return transaction(deps.db, async (tx): Promise<Claim> => {
    await store.lockMailsOfUser(tx, { userId })
    const [now] = await store.findPendingMail(tx, { id })
    if (!now) return { isGone: true }
    const [current] = await dropObsolete(deps, tx, [now])
    if (!current) return { isGone: true }
    if (now.isBounced) return { failure: 'an earlier mail to this address came back' }
    const [pause] = await store.findPause(tx, { userId })
    if (pause) {
      await store.markHeldBack(tx, { id })
      return { delayMs: pause.seconds * 1000 }
    }
    return beginSending(deps, tx, await combineWithOthers(deps, tx, now, userId))
  })
}

async function beginSending(
  { config }: Pick<Deps, 'config'>,
  db: Deps['db'],
  mail: store.PendingMail,
): Promise<Claim> {
  const messageId = `<${mail.id}@${domainOf(config.mailFrom)}>`
  const [begun] = await store.beginMail(db, { id: mail.id, messageId })
  if (!begun?.messageId || !begun.begunAt) return { isGone: true }
  return { begun: { ...mail, messageId: begun.messageId, begunAt: begun.begunAt } }
}

async function combineWithOthers(
  deps: BatchDeps,
  tx: Db,
  mail: store.PendingMail,
  userId: string,
): Promise<store.PendingMail> {
  const { id, recipient, thread } = mail
  const found = await dropObsolete(
    deps,
    tx,
    await store.findCombinable(tx, { id, userId, recipient, thread }),
  )
  const [first, ...rest] = found.flatMap(({ letter }): EmailContent[] => (letter ? [letter] : []))
  const heldBack = found.some((other) => other.heldBack)
  if (!first || !found.some((other) => other.id === id) || (rest.length === 0 && !heldBack)) return mail
  const kinds = found.flatMap(({ kind }) => kind ?? [])
  const letter = { ...combineEmails([first, ...rest], heldBack), stop: stopLink(deps.config, userId, kinds) }
  const content = { subject: subjectOf(letter.subject), html: htmlOf(letter), text: textOf(letter) }
  await store.setMailContent(tx, { id, ...content, letter: JSON.stringify(letter) })
  await store.combineInto(tx, {
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
  if (obsolete.length > 0) await store.deleteMails(tx, { ids: [...obsolete] })
  return mails.filter(({ id }) => !obsolete.includes(id))
}

export const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
