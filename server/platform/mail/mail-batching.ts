import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../database/open.ts'
import { type EmailContent, htmlOf, joined, textOf } from './email-content.ts'
import * as store from './mail-repository.ts'
import { subjectOf } from './sentence.ts'
import { stopLink } from './stop-links.ts'

/** An email with its final text and Message-ID, so that every attempt sends the same. */
export type Begun = store.Waiting & { messageId: string; begunAt: Date }
/** Returns the ids of emails that became obsolete. Modules implement it; `main.ts` passes it in. */
export type FindDone = (db: Db, mails: readonly string[]) => Promise<readonly string[]>
type Taking = Pick<Deps, 'db' | 'config'> & { findDone: FindDone }
type Taken = { begun: Begun } | { later: number } | { never: string } | { over: true }

/**
 * Claims a queued email for sending. Optional emails to one person about one deal are combined,
 * delayed by the hourly limit, and dropped if obsolete (R-notifications-13, -14, -24).
 */
export async function claimMail(deps: Taking, id: string): Promise<Taken> {
  const [mail] = await store.findWaiting(deps.db, { id })
  if (!mail) return { over: true }
  if (mail.expired) return { never: 'its code has expired' }
  if (mail.begunAt) return begin(deps, deps.db, mail)
  const { userId } = mail
  if (mail.kind === null || userId === null) {
    const [left] = await withoutDone(deps, deps.db, [mail])
    return left ? begin(deps, deps.db, left) : { over: true }
  }
  return transaction(deps.db, async (tx): Promise<Taken> => {
    await store.lockMailsOf(tx, { userId })
    const [now] = await store.findWaiting(tx, { id })
    if (!now) return { over: true }
    const [left] = await withoutDone(deps, tx, [now])
    if (!left) return { over: true }
    if (now.bounced) return { never: 'an earlier mail to this address came back' }
    const [pause] = await store.findPause(tx, { userId })
    if (pause) {
      await store.holdBack(tx, { id })
      return { later: pause.seconds * 1000 }
    }
    return begin(deps, tx, await withFellows(deps, tx, now, userId))
  })
}

async function begin({ config }: Pick<Deps, 'config'>, db: Deps['db'], mail: store.Waiting): Promise<Taken> {
  const messageId = `<${mail.id}@${domainOf(config.mailFrom)}>`
  const [begun] = await store.beginMail(db, { id: mail.id, messageId })
  if (!begun?.messageId || !begun.begunAt) return { over: true }
  return { begun: { ...mail, messageId: begun.messageId, begunAt: begun.begunAt } }
}

async function withFellows(
  deps: Taking,
  tx: Db,
  mail: store.Waiting,
  userId: string,
): Promise<store.Waiting> {
  const { id, recipient, thread } = mail
  const found = await withoutDone(deps, tx, await store.findFellows(tx, { id, userId, recipient, thread }))
  const [first, ...rest] = found.flatMap(({ letter }): EmailContent[] => (letter ? [letter] : []))
  const heldBack = found.some((fellow) => fellow.heldBack)
  if (!first || !found.some((fellow) => fellow.id === id) || (rest.length === 0 && !heldBack)) return mail
  const kinds = found.flatMap(({ kind }) => kind ?? [])
  const letter = { ...joined([first, ...rest], heldBack), stop: stopLink(deps.config, userId, kinds) }
  const words = { subject: subjectOf(letter.subject), html: htmlOf(letter), text: textOf(letter) }
  await store.setWords(tx, { id, ...words, letter: JSON.stringify(letter) })
  await store.joinInto(tx, {
    head: id,
    ids: found.map((fellow) => fellow.id).filter((other) => other !== id),
  })
  return { ...mail, ...words, letter }
}

async function withoutDone<Mail extends { id: string; event: string | null }>(
  { findDone }: Taking,
  tx: Db,
  mails: readonly Mail[],
): Promise<Mail[]> {
  const told = mails.filter(({ event }) => event !== null).map(({ id }) => id)
  const done = told.length > 0 ? await findDone(tx, told) : []
  if (done.length > 0) await store.dropMails(tx, { ids: [...done] })
  return mails.filter(({ id }) => !done.includes(id))
}

export const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
