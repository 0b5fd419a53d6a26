import type { Notification } from '@keyturn/contract/notifications/calls.ts'
import type { Reader } from '@keyturn/contract/notifications/rules.ts'
import { and, count, desc, eq, isNull, not, or, sql } from 'drizzle-orm'
import { userSessionTables, users } from '../accounts/tables.ts'
import { now } from '../db/columns.ts'
import type { Db } from '../db/open.ts'
import { type Given, prepared, type RowOf } from '../db/prepared.ts'
import { channel } from './signal.ts'
import { notifications, notificationReads as reads } from './tables.ts'
import { type ForReader, quoted, type ReadBy, visible } from './visible.ts'

/** The rows, as JSON, and their signal in one round trip. */
export const saveNotifications = prepared(
  'save-notifications',
  (db, p: Given<{ rows: string; signal: string }>) =>
    db
      .insert(notifications)
      // In the order of the table's columns.
      .select(
        sql`select id, "recipientId", "aboutId", type, message, "publicMessage", ${now}, event, audience, "dealId", "tradeId"
          from jsonb_to_recordset(${p.rows}::jsonb) as told(id char(24), "recipientId" char(24), "aboutId" char(24), type text,
            message text, "publicMessage" text, event text, audience text, "dealId" char(24), "tradeId" char(24))`,
      )
      // PostgreSQL sends the same words once a transaction.
      .returning({ sent: sql`pg_notify(${quoted(channel)}, ${p.signal})` }),
)

export const sendSignals = prepared('send-signals', (db, p: Given<{ signals: string[] }>) =>
  db
    .select({ sent: sql`pg_notify(${quoted(channel)}, signal)` })
    .from(sql`unnest(${p.signals}::text[]) as signal`),
)

/** Replaces sentences that name the person by the ones for wholesalers, which name nobody. */
export const dropNames = prepared('drop-names', (db, p: Given<{ personId: string }>) =>
  db
    .update(notifications)
    .set({ message: sql`${notifications.publicMessage}`, aboutId: null })
    .where(or(eq(notifications.aboutId, p.personId), eq(notifications.recipientId, p.personId))),
)

/** A notification as one reader sees it. */
export type ShownNotification = RowOf<typeof findNotification.addressee>
export const wireOf = ({ id, createdAt, ...seen }: ShownNotification): Notification => ({
  _id: id,
  createdAt: createdAt.toISOString(),
  ...seen,
})

type Place = { userId: string; at: string; id: string; limit: number }
/** Newest first, from behind the given place on. */
export const listNotifications = perReader((reader) =>
  prepared(`list-notifications-${reader}`, (db, p: Given<Place>) =>
    seenBy(db, reader, p)
      .where(
        and(
          visible[reader](p),
          sql`(${notifications.createdAt}, ${notifications.id}) < (${p.at}::timestamptz, ${p.id}::bpchar)`,
        ),
      )
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(p.limit),
  ),
)

export const findNotification = perReader((reader) =>
  prepared(`find-notification-${reader}`, (db, p: Given<ReadBy & { id: string }>) =>
    seenBy(db, reader, p).where(and(visible[reader](p), eq(notifications.id, p.id))),
  ),
)

/** Among the newest `most`, so that no count costs more than another. */
export const countUnread = perReader((reader) =>
  prepared(`count-unread-${reader}`, (db, p: Given<ReadBy & { most: number }>) => {
    const newest = seenBy(db, reader, p)
      .where(visible[reader](p))
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(p.most)
      .as('newest')
    return db.select({ count: count() }).from(newest).where(not(newest.isRead))
  }),
)

export const saveRead = prepared('save-read', (db, p: Given<{ id: string; userId: string }>) =>
  db.insert(reads).values({ notificationId: p.id, userId: p.userId }).onConflictDoNothing(),
)

/** Which of these sessions still stand, for the streams that were opened with them. */
export const findValidSessions = prepared('valid-sessions', (db, p: Given<{ ids: string[] }>) => {
  const { sessions } = userSessionTables
  return db
    .select({
      id: sessions.id,
      wholesaler: sql<boolean>`${users.userType} = 'WHOLESALER' and ${users.approvedAt} is not null`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.owner))
    .where(
      and(
        sql`${sessions.id} = any(${p.ids}::char(24)[])`,
        isNull(sessions.endedAt),
        sql`${sessions.expiresAt} > ${now}`,
        isNull(users.deletedAt),
      ),
    )
})

/** Rounded as the rows are. */
const approvedAt = ({ userId }: Given<ReadBy>) =>
  sql`(select date_trunc('milliseconds', ${users.approvedAt}) from ${users} where ${users.id} = ${userId})`

const seenBy = (db: Db, reader: Reader, p: Given<ReadBy>) =>
  db
    .select({
      id: notifications.id,
      type: notifications.type,
      message: sql<string>`${messageFor[reader](p)}`.as('shown'),
      isRead: sql<boolean>`${isReadBy[reader](p)}`.as('is_read'),
      createdAt: notifications.createdAt,
      // What is for all wholesalers is for the one who reads it.
      recipientId: sql<string>`coalesce(${notifications.recipientId}, ${p.userId})`.as('recipient'),
    })
    .from(notifications)
    .leftJoin(reads, and(eq(reads.notificationId, notifications.id), eq(reads.userId, p.userId)))

const messageFor: ForReader = {
  addressee: () => sql`${notifications.message}`,
  wholesaler: ({ userId }) =>
    sql`case when ${notifications.recipientId} = ${userId} then ${notifications.message} else ${notifications.publicMessage} end`,
}
/** For a wholesaler, what happened before the approval counts as read. */
const isReadBy: ForReader = {
  addressee: () => sql`${reads.userId} is not null`,
  wholesaler: (p) => sql`(${reads.userId} is not null or ${notifications.createdAt} < ${approvedAt(p)})`,
}

function perReader<Q>(build: (reader: Reader) => Q): Record<Reader, Q> {
  return { addressee: build('addressee'), wholesaler: build('wholesaler') }
}
