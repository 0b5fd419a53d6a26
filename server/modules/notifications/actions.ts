import type { EventName } from '@keyturn/contract/notifications/facts.ts'
import type { Reader, ServerEventRoom } from '@keyturn/contract/notifications/rules.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import { publishResync, publishSignals } from './events/publish-signals.ts'
import { encodeChange, usersPerSignal } from './events/signal.ts'
import { deletePreferences } from './preferences.ts'
import { deleteDevices } from './push/devices.ts'
import {
  countUnread,
  findEarlierNotification,
  findNotification,
  findResolvedMails,
  removeNames,
  type ShownNotification,
  saveMark,
  saveRead,
} from './repository.ts'

export type { ServerEventRoom } from '@keyturn/contract/notifications/rules.ts'
export { encodeHiding as hidingSignal } from './events/signal.ts'
export { type NotifyInput, notify, notifyEach } from './notify.ts'
export { detachDevice } from './push/devices.ts'
export { pushJobs } from './push/push-jobs.ts'
export { deleteAllPushes } from './push/push-repository.ts'
export { reminderTask, type Turn } from './reminders.ts'
export { publishResync }

/** Whether a person was notified since then of an event that happens once per deal. */
export async function wasNotified(
  tx: Db,
  once: { event: EventName; recipientId: string; dealId: string; since: Date },
): Promise<boolean> {
  const [earlier] = await findEarlierNotification(tx, once)
  return earlier !== undefined
}

/** Returns those of the emails that no longer need to be sent (R-notifications-24). */
export async function findResolved(db: Db, mails: readonly string[]): Promise<string[]> {
  return (await findResolvedMails(db, { ids: [...mails] })).map(({ id }) => id)
}

/** Makes the open pages of these users reload these kinds of data after the commit. */
export async function publishChange(
  tx: Db,
  userIds: readonly string[],
  ...rooms: ServerEventRoom[]
): Promise<void> {
  const users = [...new Set(userIds)]
  if (users.length === 0 || rooms.length === 0) return
  const signals: string[] = []
  for (let i = 0; i < users.length; i += usersPerSignal)
    signals.push(encodeChange({ users: users.slice(i, i + usersPerSignal), wholesalers: false, rooms }))
  await publishSignals(tx, signals)
}

export async function publishChangeToWholesalers(tx: Db, ...rooms: ServerEventRoom[]): Promise<void> {
  if (rooms.length === 0) return
  await publishSignals(tx, [encodeChange({ users: [], wholesalers: true, rooms })])
}

/** Wholesalers also read the notifications for all wholesalers; other users only their own. */
export const readerOf = (actor: UserActor): Reader => (actor.wholesaler ? 'wholesaler' : 'addressee')

export function markRead(db: Db, actor: UserActor, id: string): Promise<ShownNotification> {
  return transaction(db, async (tx) => {
    const [seen] = await findNotification[readerOf(actor)](tx, { userId: actor.id, id })
    if (!seen) throw apiErrors.NotFound()
    if (seen.isRead) return seen
    await saveRead(tx, { id, userId: actor.id })
    await publishChange(tx, [actor.id], 'notifications')
    return { ...seen, isRead: true, counts: false }
  })
}

/** Marks all notifications up to and including this one as read; returns the unread count. */
export function markAllRead(db: Db, actor: UserActor, upTo: string): Promise<number> {
  return transaction(db, async (tx) => {
    const [seen] = await findNotification[readerOf(actor)](tx, { userId: actor.id, id: upTo })
    if (!seen) throw apiErrors.NotFound()
    const at = seen.createdAt.toISOString()
    const [moved] = await saveMark(tx, { userId: actor.id, at, id: upTo })
    if (moved) await publishChange(tx, [actor.id], 'notifications')
    return readUnreadCount(tx, actor)
  })
}

export async function readUnreadCount(db: Db, actor: UserActor): Promise<number> {
  const [row] = await countUnread[readerOf(actor)](db, { userId: actor.id })
  return row?.count ?? 0
}

/**
 * For a deleted account: removes the name from notifications about the person, and replaces those
 * to the person with the public sentence.
 */
export async function eraseFromNotifications(tx: Db, personId: string): Promise<void> {
  await deletePreferences(tx, { userId: personId })
  await deleteDevices(tx, personId)
  await removeNames(tx, { personId })
}
