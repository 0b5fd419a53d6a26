import type { NotificationType } from '@keyturn/contract/notifications/rules.ts'
import { sql } from 'drizzle-orm'
import { char, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const idColumn = (name: string) => char(name, { length: 24 })

export const notifications = pgTable('notifications', {
  id: idColumn('id').primaryKey(),
  recipientId: idColumn('recipient_id').notNull(),
  aboutId: idColumn('about_id'),
  type: text('type').$type<NotificationType>().notNull(),
  message: text('message').notNull(),
  publicMessage: text('public_message').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true, precision: 3, mode: 'date' })
    .notNull()
    .default(sql`keyturn_now()`),
})

export const notificationReads = pgTable(
  'notification_reads',
  {
    userId: idColumn('user_id').notNull(),
    notificationId: idColumn('notification_id').notNull(),
    readAt: timestamp('read_at', { withTimezone: true, mode: 'date' }).notNull().default(sql`keyturn_now()`),
  },
  (reads) => [primaryKey({ columns: [reads.userId, reads.notificationId] })],
)
