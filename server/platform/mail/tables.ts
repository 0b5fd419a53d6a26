import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { idColumn, jsonColumn, momentColumn, now } from '../database/columns.ts'
import type { EmailContent } from './email-content.ts'

export const mails = pgTable('mails', {
  id: idColumn('id').primaryKey(),
  userId: idColumn('user_id'),
  recipient: text('recipient').notNull(),
  /** Null for emails required for the account or by law. */
  kind: text('kind'),
  thread: idColumn('thread'),
  subject: text('subject').notNull(),
  html: text('html').notNull(),
  text: text('text').notNull(),
  letter: jsonColumn('letter').$type<EmailContent>(),
  /** Event and audience of the email; null if it is about no event. */
  event: text('event'),
  audience: text('audience'),
  /** Reference `kind:id`; the files are created when the email is sent. */
  attachment: text('attachment'),
  createdAt: momentColumn('created_at').notNull().default(now),
  queuedAt: momentColumn('queued_at').notNull().default(now),
  goodUntil: momentColumn('good_until'),
  messageId: text('message_id'),
  begunAt: momentColumn('begun_at'),
  heldBack: boolean('held_back').notNull().default(false),
  joinedInto: idColumn('joined_into'),
  sentAt: momentColumn('sent_at'),
  attempts: integer('attempts').notNull().default(0),
  failedBecause: text('failed_because'),
  deadAt: momentColumn('dead_at'),
})
export type EmailRow = typeof mails.$inferSelect

export const mailBounces = pgTable(
  'mail_bounces',
  {
    userId: idColumn('user_id').notNull(),
    address: text('address').notNull(),
    at: momentColumn('at').notNull().default(now),
    because: text('because').notNull(),
  },
  (bounces) => [primaryKey({ columns: [bounces.userId, bounces.address] })],
)
