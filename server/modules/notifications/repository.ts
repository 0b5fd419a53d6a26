import type { Notification } from '@keyturn/contract/notifications/endpoints.ts'
import type { EventName } from '@keyturn/contract/notifications/event-facts.ts'
import type { NotificationReader } from '@keyturn/contract/notifications/rules.ts'
import { and, count, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import { now } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { maxPageRows } from '../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../platform/database/prepare-query.ts'
import { mails } from '../../platform/mail/tables.ts'
import { userSessionTables, users } from '../accounts/tables.ts'
import { cars } from '../cars/tables.ts'
import { deals } from '../deals/tables.ts'
import { trades } from '../trades/tables.ts'
import { signalChannel } from './events/signal.ts'
import { type PlaceFacts, placeOf } from './notification-place.ts'
import { isResolvedSql } from './resolved-notifications.ts'
import { notificationMarks as marks, notifications, notificationReads as reads } from './tables.ts'
import {
  bellDepthSql,
  type ConditionByReader,
  isVisibleTo,
  type ReaderParams,
  sqlLiteral,
} from './visible-notifications.ts'

export const saveNotifications = prepareQuery('save-notifications', (db, p: Placeholders<{ rows: string }>) =>
  db
    .insert(notifications)
    // In the order of the table's columns.
    .select(
      sql`select id, "recipientId", "aboutId", type, message, "publicMessage", ${now}, event, audience, "dealId", "tradeId"
          from jsonb_to_recordset(${p.rows}::jsonb) as told(id char(24), "recipientId" char(24), "aboutId" char(24), type text,
            message text, "publicMessage" text, event text, audience text, "dealId" char(24), "tradeId" char(24))`,
    ),
)

/** Returns the listed emails that are resolved; emails are checked like notifications. */
export const findResolvedEmailIds = prepareQuery(
  'find-resolved-email-ids',
  (db, p: Placeholders<{ ids: string[] }>) =>
    db
      .select({ id: mails.id })
      .from(mails)
      .where(
        sql`${mails.id} = any(${p.ids}::bpchar[]) and (select ${isResolvedSql} from ${asNotice} as ${notifications})`,
      ),
)
/** `thread` is the id of the deal or trade. */
const asNotice = sql`(select ${mails.event}, ${mails.audience}, ${mails.thread} as deal_id, ${mails.thread} as trade_id,
  ${mails.createdAt}::timestamptz(3) as created_at, ${mails.userId} as recipient_id)`

/** Does not wait for the disk, because signals do not survive a crash anyway. */
export const sendSignals = prepareQuery('send-signals', (db, p: Placeholders<{ signals: string[] }>) =>
  db
    .select({
      hasTime: sql`set_config('synchronous_commit', 'off', true)`,
      sent: sql`pg_notify(${sqlLiteral(signalChannel)}, signal)`,
    })
    .from(sql`unnest(${p.signals}::text[]) as signal`),
)

/** Replaces sentences that name the person with the public ones, which name nobody. */
export const eraseNames = prepareQuery('erase-names', (db, p: Placeholders<{ personId: string }>) =>
  db
    .update(notifications)
    .set({ message: sql`${notifications.publicMessage}`, aboutId: null })
    .where(or(eq(notifications.aboutId, p.personId), eq(notifications.recipientId, p.personId))),
)

export type ShownNotification = RowOf<typeof findNotification.addressee>
export const toNotification = ({ id, createdAt, place, event, audience, ...seen }: ShownNotification) =>
  ({
    _id: id,
    ...seen,
    createdAt: createdAt.toISOString(),
    place: place && placeOf({ event, audience, ...place }),
  }) satisfies Notification

type From = { userId: string; at: string; id: string; limit: number }
export const listNotifications = perReader((reader) =>
  prepareQuery(`list-notifications-${reader}`, (db, p: Placeholders<From>) => {
    const largestPage = seenBy(db, reader, p)
      .where(
        and(
          isVisibleTo[reader](p),
          sql`(${notifications.createdAt}, ${notifications.id}) < (${p.at}::timestamptz, ${p.id}::bpchar)`,
        ),
      )
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(maxPageRows)
      .as('page')
    // With a parameter as the limit, the planner estimates a tenth of the table and replans each
    // time.
    return db.select().from(largestPage).limit(p.limit)
  }),
)

export const findNotification = perReader((reader) =>
  prepareQuery(`find-notification-${reader}`, (db, p: Placeholders<ReaderParams & { id: string }>) =>
    seenBy(db, reader, p).where(and(isVisibleTo[reader](p), eq(notifications.id, p.id))),
  ),
)

/**
 * Counts among the newest notifications of the reader, so that the cost has a limit. The limit is a
 * literal, because with a parameter the planner would replan each time.
 */
export const countUnread = perReader((reader) =>
  prepareQuery(`count-unread-${reader}`, (db, p: Placeholders<ReaderParams>) =>
    db
      .select({ count: count() })
      .from(sql`(${newestFor[reader](p)}) as ${notifications}`)
      .leftJoin(reads, ownRead(p))
      .where(counts(reader, p)),
  ),
)

/** Two queries, so that each uses its own index. */
const newestFor: ConditionByReader = {
  addressee: (p) => newest(isVisibleTo.addressee(p)),
  wholesaler: (p) =>
    sql`(${newest(sql`${notifications.recipientId} = ${p.userId} and ${isVisibleTo.wholesaler(p)}`)})
      union all (${newest(sql`${notifications.recipientId} is null`)})`,
}
const newest = (whose: SQL) =>
  sql`select * from ${notifications} where ${whose}
    order by ${notifications.createdAt} desc, ${notifications.id} desc limit ${bellDepthSql}`

export const findEarlierNotification = prepareQuery(
  'find-earlier-notification',
  (db, p: Placeholders<{ event: EventName; recipientId: string; dealId: string; since: Date }>) =>
    db
      .select({ id: notifications.id })
      .from(notifications)
      .where(
        sql`${notifications.recipientId} = ${p.recipientId} and ${notifications.dealId} = ${p.dealId}
          and ${notifications.event} = ${p.event} and ${notifications.createdAt} >= ${p.since}`,
      )
      .limit(1),
)

export const saveRead = prepareQuery('save-read', (db, p: Placeholders<{ id: string; userId: string }>) =>
  db.insert(reads).values({ notificationId: p.id, userId: p.userId }).onConflictDoNothing(),
)

/** Marks all notifications up to the given one as read; a mark never moves back. */
export const saveReadMark = prepareQuery(
  'save-read-mark',
  (db, p: Placeholders<{ userId: string; at: string; id: string }>) =>
    db
      .insert(marks)
      .values({ userId: p.userId, readTo: sql`${p.at}::timestamptz`, readToId: p.id })
      .onConflictDoUpdate({
        target: marks.userId,
        set: { readTo: sql`excluded.read_to`, readToId: sql`excluded.read_to_id` },
        setWhere: sql`(excluded.read_to, excluded.read_to_id) > (${marks.readTo}, ${marks.readToId})`,
      })
      .returning({ userId: marks.userId }),
)

/** Returns the listed sessions that are still active, for the streams opened with them. */
export const findValidSessions = prepareQuery(
  'find-valid-sessions',
  (db, p: Placeholders<{ ids: string[] }>) => {
    const { sessions } = userSessionTables
    return db
      .select({
        id: sessions.id,
        wholesaler: sql<boolean>`${users.userType} = 'WHOLESALER' and ${users.approvedAt} is not null`,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.owner))
      .where(
        sql`${sessions.id} = any(${p.ids}::char(24)[]) and ${sessions.endedAt} is null
        and ${sessions.expiresAt} > ${now} and ${users.deletedAt} is null`,
      )
  },
)

/** Rounded to milliseconds like `created_at`. */
const approvedAt = ({ userId }: Placeholders<ReaderParams>) =>
  sql`(select date_trunc('milliseconds', ${users.approvedAt}) from ${users} where ${users.id} = ${userId})`

const ownRead = (p: Placeholders<ReaderParams>) =>
  and(eq(reads.notificationId, notifications.id), eq(reads.userId, p.userId))

const seenBy = (db: Db, reader: NotificationReader, p: Placeholders<ReaderParams>) =>
  db
    .select({
      id: notifications.id,
      type: notifications.type,
      message: sql<string>`${messageFor[reader](p)}`.as('shown'),
      isRead: sql<boolean>`${isReadBy[reader](p)}`.as('is_read'),
      counts: counts(reader, p).as('counts'),
      createdAt: notifications.createdAt,
      // A notification for all wholesalers is shown as addressed to its reader.
      recipientId: sql<string>`coalesce(${notifications.recipientId}, ${p.userId})`.as('recipient'),
      event: notifications.event,
      audience: notifications.audience,
      place: placeFacts(reader, p).as('place'),
    })
    .from(notifications)
    .leftJoin(reads, ownRead(p))
    .leftJoin(deals, eq(deals.id, notifications.dealId))
    .leftJoin(cars, eq(cars.id, deals.carId))

/**
 * Null for notifications that are addressed to somebody else. The trade is a scalar subquery,
 * because the planner would read all deleted trades for `exists`.
 */
const placeFacts = (reader: NotificationReader, p: Placeholders<ReaderParams>) =>
  sql<Omit<PlaceFacts, 'event' | 'audience'> | null>`case when ${isFor[reader](p)} then json_build_object(
    'car', case when ${cars.id} is not null
      then json_build_object('carId', ${cars.id}, 'sellerId', ${cars.sellerId}, 'vin', ${cars.vin}) end,
    'dealId', ${notifications.dealId},
    'tradeId', ${notifications.tradeId},
    'isWithdrawn', ${deals.withdrawnAt} is not null and ${deals.passedAt} is null and not ${deals.soldElsewhere},
    'isDeleted', coalesce((select ${trades.deletedAt} is not null from ${trades} where ${trades.id} = ${notifications.tradeId}), false)) end`

/** Addressed to the reader, unread and not resolved. */
const counts = (reader: NotificationReader, p: Placeholders<ReaderParams>) =>
  sql<boolean>`(${isFor[reader](p)} and not ${isReadBy[reader](p)} and not ${isResolvedSql})`

const isFor: ConditionByReader = {
  addressee: () => sql`true`,
  wholesaler: ({ userId }) =>
    sql`(${notifications.recipientId} is null or ${notifications.recipientId} = ${userId})`,
}
const messageFor: ConditionByReader = {
  addressee: () => sql`${notifications.message}`,
  wholesaler: ({ userId }) =>
    sql`case when ${notifications.recipientId} = ${userId} then ${notifications.message} else ${notifications.publicMessage} end`,
}
const isMarked = ({ userId }: Placeholders<ReaderParams>) =>
  sql`coalesce((${notifications.createdAt}, ${notifications.id}) <=
    (select ${marks.readTo}, ${marks.readToId} from ${marks} where ${marks.userId} = ${userId}), false)`
/** For a wholesaler, notifications from before the approval count as read. */
const isReadBy: ConditionByReader = {
  addressee: (p) => sql`(${reads.userId} is not null or ${isMarked(p)})`,
  wholesaler: (p) =>
    sql`(${reads.userId} is not null or ${isMarked(p)} or ${notifications.createdAt} < ${approvedAt(p)})`,
}

function perReader<Q>(build: (reader: NotificationReader) => Q): Record<NotificationReader, Q> {
  return { addressee: build('addressee'), wholesaler: build('wholesaler') }
}
