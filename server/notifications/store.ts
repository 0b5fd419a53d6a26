import type { Notification } from '@keyturn/contract/notifications/calls.ts'
import type { NotificationType, Reader } from '@keyturn/contract/notifications/rules.ts'
import { and, count, desc, eq, not, or, type SQL, sql } from 'drizzle-orm'
import { users } from '../accounts/tables.ts'
import { type Db, prepared } from '../db/open.ts'
import { channel } from './signal.ts'
import { notifications, notificationReads as reads } from './tables.ts'
import { quoted, visible } from './visible.ts'

const p = sql.placeholder

type NewNotification = {
  id: string
  recipientId: string
  aboutId: string | null
  type: NotificationType
  message: string
  publicMessage: string
  signal: string
}
/** The row and its signal in one round trip. */
export const saveNotification = prepared<NewNotification, unknown>('save-notification', (db) =>
  db
    .insert(notifications)
    .values({
      id: p('id'),
      recipientId: p('recipientId'),
      aboutId: p('aboutId'),
      type: sql`${p('type')}`,
      message: p('message'),
      publicMessage: p('publicMessage'),
    })
    .returning({ sent: sql`pg_notify(${quoted(channel)}, ${p('signal')})` }),
)

export const sendSignals = prepared<{ signals: string[] }, unknown>('send-signals', (db) =>
  db
    .select({ sent: sql`pg_notify(${quoted(channel)}, signal)` })
    .from(sql`unnest(${p('signals')}::text[]) as signal`),
)

/** Replaces sentences that name the person by the ones for wholesalers, which name nobody. */
export const dropNames = prepared<{ personId: string }, unknown>('drop-names', (db) =>
  db
    .update(notifications)
    .set({ message: sql`${notifications.publicMessage}`, aboutId: null })
    .where(or(eq(notifications.aboutId, p('personId')), eq(notifications.recipientId, p('personId')))),
)

/** A notification as one reader sees it. */
export type Seen = {
  id: string
  type: NotificationType
  message: string
  isRead: boolean
  createdAt: Date
  recipientId: string
}
export const wireOf = ({ id, createdAt, ...seen }: Seen): Notification => ({
  _id: id,
  createdAt: createdAt.toISOString(),
  ...seen,
})

type Place = { userId: string; at: string; id: string; limit: number }
/** Newest first, from behind the given place on. */
export const listNotifications = perReader<Place, Seen[]>(
  'list-notifications',
  (reader) => (db) =>
    seenBy(db, reader)
      .where(
        and(
          visible[reader],
          sql`(${notifications.createdAt}, ${notifications.id}) < (${p('at')}::timestamptz, ${p('id')}::bpchar)`,
        ),
      )
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(p('limit')),
)

export const findNotification = perReader<{ userId: string; id: string }, Seen[]>(
  'find-notification',
  (reader) => (db) => seenBy(db, reader).where(and(visible[reader], eq(notifications.id, p('id')))),
)

/** Among the newest `most`, so that no count costs more than another. */
export const countUnread = perReader<{ userId: string; most: number }, { count: number }[]>(
  'count-unread',
  (reader) => (db) => {
    const newest = seenBy(db, reader)
      .where(visible[reader])
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(p('most'))
      .as('newest')
    return db.select({ count: count() }).from(newest).where(not(newest.isRead))
  },
)

export const saveRead = prepared<{ id: string; userId: string }, unknown>('save-read', (db) =>
  db
    .insert(reads)
    .values({ notificationId: p('id'), userId: p('userId') })
    .onConflictDoNothing(),
)

export type LiveSession = { id: string; wholesaler: boolean }
/** Which of these sessions still stand, for the streams that were opened with them. */
export const liveSessions = `
  select sessions.id, users.user_type = 'WHOLESALER' and users.approved_at is not null as wholesaler
  from sessions join users on users.id = sessions.user_id
  where sessions.id = any($1) and sessions.ended_at is null and sessions.expires_at > keyturn_now()
    and users.deleted_at is null`

const ownRead = and(eq(reads.notificationId, notifications.id), eq(reads.userId, p('userId')))
/** Rounded as the rows are. */
const approvedAt = sql`(select date_trunc('milliseconds', ${users.approvedAt}) from ${users} where ${users.id} = ${p('userId')})`

const seenBy = (db: Db, reader: Reader) =>
  db
    .select({
      id: notifications.id,
      type: notifications.type,
      message: sql<string>`${messageFor[reader]}`.as('shown'),
      isRead: sql<boolean>`${isReadBy[reader]}`.as('is_read'),
      createdAt: notifications.createdAt,
      recipientId: notifications.recipientId,
    })
    .from(notifications)
    .leftJoin(reads, ownRead)

const messageFor: Record<Reader, SQL> = {
  addressee: sql`${notifications.message}`,
  wholesaler: sql`case when ${notifications.recipientId} = ${p('userId')} then ${notifications.message} else ${notifications.publicMessage} end`,
}
/** For a wholesaler, what happened before the approval counts as read. */
const isReadBy: Record<Reader, SQL> = {
  addressee: sql`${reads.userId} is not null`,
  wholesaler: sql`(${reads.userId} is not null or ${notifications.createdAt} < ${approvedAt})`,
}

function perReader<P extends Record<string, unknown>, R>(
  name: string,
  build: (reader: Reader) => Parameters<typeof prepared<P, R>>[1],
): Record<Reader, ReturnType<typeof prepared<P, R>>> {
  return {
    addressee: prepared(`${name}-addressee`, build('addressee')),
    wholesaler: prepared(`${name}-wholesaler`, build('wholesaler')),
  }
}
