import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { idColumn, moment, now } from '../db/columns.ts'

export const mails = pgTable('mails', {
  id: idColumn('id').primaryKey(),
  userId: idColumn('user_id'),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  html: text('html').notNull(),
  text: text('text').notNull(),
  /** A reference: the bytes are asked for when the mail leaves. */
  attachment: text('attachment'),
  createdAt: moment('created_at').notNull().default(now),
  goodUntil: moment('good_until'),
  sentAt: moment('sent_at'),
  attempts: integer('attempts').notNull().default(0),
  failedBecause: text('failed_because'),
  deadAt: moment('dead_at'),
  /** A letter whose end somebody waits for, and who makes its files. */
  deliveryId: idColumn('delivery_id'),
})
export type MailRow = typeof mails.$inferSelect
