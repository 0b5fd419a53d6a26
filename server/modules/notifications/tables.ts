import type { EventName } from '@keyturn/contract/notifications/event-facts.ts'
import type { Audience } from '@keyturn/contract/notifications/events.ts'
import type { Channel, NotificationKind } from '@keyturn/contract/notifications/notification-kinds.ts'
import type { NotificationType } from '@keyturn/contract/notifications/rules.ts'
import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { idColumn, momentColumn, now } from '../../platform/database/columns.ts'

export const notifications = pgTable('notifications', {
  id: idColumn('id').primaryKey(),
  /** Null: all approved wholesalers. */
  recipientId: idColumn('recipient_id'),
  aboutId: idColumn('about_id'),
  type: text('type').$type<NotificationType>().notNull(),
  message: text('message').notNull(),
  publicMessage: text('public_message').notNull(),
  createdAt: momentColumn('created_at', { precision: 3 }).notNull().default(now),
  event: text('event').$type<EventName>().notNull(),
  audience: text('audience').$type<Audience>().notNull(),
  dealId: idColumn('deal_id'),
  tradeId: idColumn('trade_id'),
})

export const notificationMarks = pgTable('notification_marks', {
  userId: idColumn('user_id').primaryKey(),
  readTo: momentColumn('read_to', { precision: 3 }).notNull(),
  readToId: idColumn('read_to_id').notNull(),
})

export const switchedOff = pgTable(
  'switched_off',
  {
    userId: idColumn('user_id').notNull(),
    kind: text('kind').$type<NotificationKind>().notNull(),
    channel: text('channel').$type<Channel>().notNull(),
    at: momentColumn('at').notNull().default(now),
  },
  (off) => [primaryKey({ columns: [off.userId, off.kind, off.channel] })],
)

export const pushDevices = pgTable('push_devices', {
  id: idColumn('id').primaryKey(),
  userId: idColumn('user_id').notNull(),
  sessionId: idColumn('session_id'),
  endpoint: text('endpoint').notNull(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  name: text('name').notNull(),
  addedAt: momentColumn('added_at').notNull().default(now),
  seenAt: momentColumn('seen_at').notNull().default(now),
  failures: integer('failures').notNull().default(0),
  restsUntil: momentColumn('rests_until'),
})

export const pushes = pgTable(
  'pushes',
  {
    id: idColumn('id').notNull(),
    deviceId: idColumn('device_id').notNull(),
    event: text('event').$type<EventName>().notNull(),
    audience: text('audience').$type<Audience>().notNull(),
    aboutId: idColumn('about_id'),
    dealId: idColumn('deal_id'),
    tradeId: idColumn('trade_id'),
    body: text('body').notNull(),
    path: text('path').notNull(),
    tag: idColumn('tag').notNull(),
    rings: boolean('rings').notNull(),
    createdAt: momentColumn('created_at', { precision: 3 }).notNull().default(now),
    goodUntil: momentColumn('good_until').notNull(),
    attempts: integer('attempts').notNull().default(0),
    failedBecause: text('failed_because'),
  },
  (each) => [primaryKey({ columns: [each.id, each.deviceId] })],
)

export const notificationReads = pgTable(
  'notification_reads',
  {
    userId: idColumn('user_id').notNull(),
    notificationId: idColumn('notification_id').notNull(),
    readAt: momentColumn('read_at').notNull().default(now),
  },
  (reads) => [primaryKey({ columns: [reads.userId, reads.notificationId] })],
)
