import type { NotificationReader } from '@keyturn/contract/notifications/rules.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import { publishChange } from './events/publish-change.ts'
import {
  countUnread,
  findNotification,
  type ShownNotification,
  saveRead,
  saveReadMark,
} from './repository.ts'

/** Wholesalers also read the notifications for all wholesalers; other users only their own. */
export const readerOf = (actor: UserActor): NotificationReader =>
  actor.wholesaler ? 'wholesaler' : 'addressee'
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

export function markAllRead(db: Db, actor: UserActor, upTo: string): Promise<number> {
  return transaction(db, async (tx) => {
    const [seen] = await findNotification[readerOf(actor)](tx, { userId: actor.id, id: upTo })
    if (!seen) throw apiErrors.NotFound()
    const at = seen.createdAt.toISOString()
    const [moved] = await saveReadMark(tx, { userId: actor.id, at, id: upTo })
    if (moved) await publishChange(tx, [actor.id], 'notifications')
    return readUnreadCount(tx, actor)
  })
}

export async function readUnreadCount(db: Db, actor: UserActor): Promise<number> {
  const [row] = await countUnread[readerOf(actor)](db, { userId: actor.id })
  return row?.count ?? 0
}
