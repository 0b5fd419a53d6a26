import { type Db, transaction } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { htmlOf, joined, type Letter, textOf } from './letter.ts'
import * as store from './mail-store.ts'
import { subjectOf } from './sentence.ts'
import { stopLink } from './stop-links.ts'

/** A mail whose words and Message-ID stand: each try sends the same. */
export type Begun = store.Waiting & { messageId: string; begunAt: Date }
/** Which of these notices are done: there is nothing left to know or to do about them. Rooms know it; `main.ts` hands it in. */
export type FindDone = (db: Db, notices: readonly string[]) => Promise<readonly string[]>
type Taking = Pick<Deps, 'db' | 'config'> & { findDone: FindDone }
type Taken = { begun: Begun } | { later: number } | { never: string } | { over: true }

/**
 * Takes a mail from the line. What need not leave at once takes along what else waits for the same person about the same
 * deal, waits itself where they have had enough for an hour, and is dropped where it is done (R-notifications-13, -14, -24).
 */
export async function takeMail(deps: Taking, id: string): Promise<Taken> {
  const [mail] = await store.findWaiting(deps.db, { id })
  if (!mail) return { over: true }
  if (mail.expired) return { never: 'its code has expired' }
  if (mail.begunAt || mail.kind === null || mail.userId === null) return begin(deps, deps.db, mail)
  const { userId } = mail
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

/** Written anew with what leaves together with it. */
async function withFellows(
  deps: Taking,
  tx: Db,
  mail: store.Waiting,
  userId: string,
): Promise<store.Waiting> {
  const { id, recipient, thread } = mail
  const found = await withoutDone(deps, tx, await store.findFellows(tx, { id, userId, recipient, thread }))
  const [first, ...rest] = found.flatMap(({ letter }): Letter[] => (letter ? [letter] : []))
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

/** Drops mails of which nobody has to know any more, and gives the others. */
async function withoutDone<Mail extends { id: string; notice: string | null }>(
  { findDone }: Taking,
  tx: Db,
  mails: readonly Mail[],
): Promise<Mail[]> {
  const notices = mails.flatMap(({ notice }) => notice ?? [])
  const done = new Set(notices.length > 0 ? await findDone(tx, notices) : [])
  const isDone = ({ notice }: Mail) => notice !== null && done.has(notice)
  const ids = mails.filter(isDone).map(({ id }) => id)
  if (ids.length > 0) await store.dropMails(tx, { ids })
  return mails.filter((mail) => !isDone(mail))
}

/** What a Message-ID ends with: the domain that mails are from. */
export const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
